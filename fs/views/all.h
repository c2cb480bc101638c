// One function for each view; the table in view.cc puts them in order.
#pragma once

#include "fs/views/set_view.h"
#include "fs/views/view.h"

namespace scidfs::fs {

const SetView& database_view();    // the directory of the database
const View& games_view();          // games/
const View& players_view();        // players/ and its shards
const View& events_view();         // events/ and its years
const View& years_view();          // years/
const View& eco_view();            // eco/
const SetView& deleted_view();     // deleted/
const View& deleted_games_view();  // its games, and their directories
const View& flags_view();          // flags/
const View& fens_view();           // fens/
const SetView& player_view();      // players/ca/Carlsen,M/ and its white/ and black/
const SetView& white_view();
const SetView& black_view();
const SetView& player_alias_view();  // players/Carlsen,M/ and its white/ and black/
const SetView& white_alias_view();
const SetView& black_alias_view();
const SetView& event_view();       // events/2013/Cup--Town/
const SetView& year_view();        // years/2013/
const SetView& month_view();       // years/2013/11/
const SetView& eco_letter_view();  // eco/B/
const SetView& eco_code_view();    // eco/B/B90/, eco/_unknown/
const SetView& flag_view();        // flags/tactics/
const View& people_view();         // people/ and its shards
const SetView& person_view();      // people/ka/Kasparov,_Garry/ and its white/ and black/
const SetView& person_white_view();
const SetView& person_black_view();
const SetView& openings_view();     // openings/Sicilian/Najdorf/
const View& doubles_view();         // doubles/
const SetView& unique_view();       // doubles/unique/
const View& tournaments_view();     // tournaments/ and its years
const SetView& tournament_view();   // tournaments/2013/Cup--Town/
const SetView& endings_view();      // endings/ and endings/rook/
const SetView& query_view();        // search/eco=B90/ below any set
const View& database_files_view();  // info.txt and other files that a database has once

}  // namespace scidfs::fs
