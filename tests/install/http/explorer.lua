-- Turns requests of lichess' opening explorer into paths of a database, in nginx and in lighttpd.
local mount, database = "/mnt/chess", "/mega.si4/"
local start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
local groups = { 0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500 }

local function exists(file)
  local handle = io.open(mount .. database .. file)
  return handle and handle:close()
end

local function unescape(text)
  return (text:gsub("+", " "):gsub("%%(%x%x)", function(digits)
    return string.char(tonumber(digits, 16))
  end))
end

-- Returns the values of a query by name; ratings[]=0&ratings[]=1000
-- is the same as ratings=0,1000.
local function parse(query)
  local values = {}
  for name, value in query:gmatch("([^&=]+)=([^&]+)") do
    name, value = unescape(name):gsub("%[%]$", ""), unescape(value)
    local before = values[name]
    values[name] = before and before .. "," .. value or value
  end
  return values
end

-- The next four return a part of a path, or fail if there is none.
local function player_set(name, color)
  assert(color == "white" or color == "black")
  assert(name and not name:find("%c"))
  return "search/" .. color .. "=" .. name:gsub("[%p ]", function(c)
    return ("%%%02X"):format(c:byte())
  end) .. "/"
end

local function dates_set(since, last)
  local dates = since .. ".." .. last
  assert(not dates:find("[^%d.-]"))
  return "search/date=" .. dates:gsub("%-", ".") .. "/"
end

-- From the lowest of the groups to the end of the highest.
local function ratings_set(ratings)
  local least, next_group
  for i, group in ipairs(groups) do
    if ("," .. ratings .. ","):find("," .. group .. ",") then
      least, next_group = least or math.max(group, 1), groups[i + 1]
    end
  end
  local most = next_group and next_group - 1 or ""
  return "search/elo=" .. assert(least) .. ".." .. most .. "/"
end

local function position(fen, play)
  assert(not fen:find("[^%w/ _-]"))
  local name = fen:gsub("/", "-"):gsub(" ", "_")
  local moves = play and play .. "," or ""
  assert(moves:gsub("[a-h][1-8][a-h][1-8][nbrq]?,", "") == "")
  return "positions/" .. name .. "/" .. moves:gsub(",", "/")
end

local function explorer(path, asked)
  local since, last = asked.since or "", asked["until"] or ""
  local of_player = path == "/player"
  return (of_player and player_set(asked.player, asked.color) or "")
    .. (since .. last ~= "" and dates_set(since, last) or "")
    .. (asked.ratings and ratings_set(asked.ratings) or "")
    .. position(asked.fen or start, asked.play) .. "explorer.json"
end

local request = ngx and ngx.var or lighty.r.req_attr
local path = request[ngx and "uri" or "uri.path"]
local query = request[ngx and "args" or "uri.query"] or ""
local game = path:match("^/masters?/pgn/(%d+)$")
local file, status = game and "games/" .. game .. ".pgn", 404
if path:find("^/%a+$") then
  local good, found = pcall(explorer, path, parse(query))
  file, status = good and found, exists("info.txt") and 400 or 404
end

local header = ngx and ngx.header or lighty.r.resp_header
header["Access-Control-Allow-Origin"] = "*"
if not (file and exists(file)) then
  local fault = status == 400 and "wrong parameters" or "not found"
  local text = '{"error":"' .. fault .. '"}'
  header["Content-Type"] = "application/json"
  if not ngx then
    lighty.r.resp_body.set(text)
    return status
  end
  ngx.status = status
  ngx.print(text)
  return ngx.exit(200)
elseif ngx then
  ngx.req.set_uri(database .. file)
else
  request["physical.path"] = mount .. database .. file
end
