// Runs lichess-opening-explorer, which knows no address but lichess' own, behind a proxy that leads it to another server.
//
// usage: explorer_proxy.js PORT KEY CERTIFICATE < FENS
//
// The server listens at PORT of this machine, and NODE_EXTRA_CA_CERTS is the certificate, of explorer.lichess.ovh. Prints
// the answers to two questions about each FEN, a line each.
const fs = require("node:fs");
const http = require("node:http");
const https = require("node:https");
const Explorer = require("lichess-opening-explorer");

const [port, key, certificate] = process.argv.slice(2);
const lichess = https.createServer({ key: fs.readFileSync(key), cert: fs.readFileSync(certificate) }, (asked, answer) => {
  http.get({ host: "127.0.0.1", port, path: asked.url }, (found) => {
    answer.writeHead(found.statusCode, found.headers);
    found.pipe(answer);
  });
});
const proxy = http.createServer().on("connect", (asked, socket) => {
  if (asked.url !== "explorer.lichess.ovh:443") return socket.destroy();
  socket.write("HTTP/1.1 200 Connected\r\n\r\n");
  lichess.emit("connection", socket);
});

proxy.listen(0, "127.0.0.1", async () => {
  process.env.HTTPS_PROXY = `http://127.0.0.1:${proxy.address().port}`;
  for (const fen of fs.readFileSync(0, "utf8").trimEnd().split("\n")) {
    const masters = await new Explorer().analyze(fen, { master: true, variant: "standard" });
    const lichess = await new Explorer().analyze(fen, { variant: "standard", speeds: ["blitz"], ratings: [2000, 2200] });
    console.log(JSON.stringify(masters) + "\n" + JSON.stringify(lichess));
  }
  process.exit();
});
