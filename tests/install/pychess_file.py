"""python3 pychess_file.py PGN GAME: opens a PGN file with PyChess's own modules, as its window does.

Prints how many games PyChess counts, and White of game GAME (from 1) with how many plies it reads of it.
"""
import sys

sys.path.insert(0, "/usr/lib/python3/dist-packages")

from pychess.Savers.pgn import load  # noqa: E402
from pychess.System.protoopen import protoopen  # noqa: E402

file = load(protoopen(sys.argv[1]))
file.init_tag_database()
games, _ = file.get_records(0)
record = games[int(sys.argv[2]) - 1]
print(file.count)
print(record["White"], file.loadToModel(record).ply)
