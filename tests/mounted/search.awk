# Which games of an index.tsv meet conditions: what awk makes of its columns, for the conditions that
# tests/mounted/set_queries.cc writes after it. LC_ALL=C.
function fold(name,   i, folded) {
  if (name in known) return known[name]
  folded = name
  if (folded ~ /[\200-\377]/) for (i = 1; i < letters; i += 2) gsub(letter[i], letter[i + 1], folded)
  gsub(/_/, " ", folded)
  return known[name] = tolower(folded)
}
# A name of nobody, of no event, ...
function nameless(name) { return name == "" }
function within(number, least, most) { return number >= least && number <= most }
# How many of a piece a side has by the material column: "Q1R2B0N1P6-Q1R2B0N1P5".
function has(side, piece) { return substr(side, index(side, piece) + 1) + 0 }
# Whether the date is not before, or not after, a year, a month of it or a day of that (0: none). A month
# or a day that matters has to be known.
function from(y, m, d) {
  if (year != y) return year > y
  if (m == 0) return 1
  if (month != m) return month > m
  return month > 0 && (d == 0 || day > 0 && day >= d)
}
function until(y, m, d) {
  if (year == 0 || year != y) return year > 0 && year < y
  if (m == 0) return 1
  if (month != m) return month > 0 && month < m
  return d == 0 || day > 0 && day <= d
}
# Whether a date that has a year is exact enough to stand before a bound or after it.
function compares(y, m, d) {
  return year != y || m == 0 || month > 0 && (month != m || d == 0 || day > 0)
}
BEGIN {
  FS = "\t"
  letters = split("À a Á a Â a Ã a Ä a Å a à a á a â a ã a ä a å a Ā a ā a Ă a ă a Ą a ą a " \
    "Ç c ç c Ć c ć c Č c č c Ď d ď d È e É e Ê e Ë e è e é e ê e ë e Ē e ē e Ė e ė e Ę e ę e Ě e ě e " \
    "Ğ g ğ g Ģ g ģ g Ì i Í i Î i Ï i ì i í i î i ï i Ī i ī i Į i į i Ķ k ķ k Ļ l ļ l Ľ l ľ l " \
    "Ñ n ñ n Ń n ń n Ň n ň n Ņ n ņ n Ò o Ó o Ô o Õ o Ö o ò o ó o ô o õ o ö o Ō o ō o Ő o ő o " \
    "Ŕ r ŕ r Ř r ř r Ś s ś s Š s š s Ş s ş s Ș s ș s Ţ t ţ t Ť t ť t Ț t ț t " \
    "Ù u Ú u Û u Ü u ù u ú u û u ü u Ū u ū u Ů u ů u Ű u ű u Ų u ų u Ý y ý y Ÿ y ÿ y " \
    "Ź z ź z Ż z ż z Ž z ž z Ø ø Æ æ Œ œ Ð ð Þ þ Ł ł Đ đ ß ss " \
    "А а Б б В в Г г Д д Е е Ё е ё е Ж ж З з И и Й и й и К к Л л М м Н н О о П п Р р С с Т т " \
    "У у Ф ф Х х Ц ц Ч ч Ш ш Щ щ Ъ ъ Ы ы Ь ь Э э Ю ю Я я", letter, " ")
  # An accent of its own after the letter.
  letter[++letters] = "\314\200|\314\201|\314\202|\314\203|\314\206|\314\207|\314\210|\314\212|\314\214"
  letter[++letters] = ""
}
NR == 1 { next }
{
  white = fold($2); black = fold($4); event = fold($9); site = fold($10); round = fold($8)
  year = substr($7, 1, 4) + 0; month = substr($7, 6, 2) + 0; day = substr($7, 9, 2) + 0
  event_year = substr($14, 1, 4) > 0 ? substr($14, 1, 4) + 0 : year
  white_elo = $3 + 0; black_elo = $5 + 0; difference = white_elo - black_elo
  rated = white_elo > 0 && black_elo > 0
  eco = substr($11, 1, 3)
  dash = index($20, "-"); white_men = substr($20, 1, dash - 1); black_men = substr($20, dash + 1)
}
