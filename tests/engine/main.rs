//! The engine and what it is made of, as a library.

mod answers;
mod architecture;
mod cases;
mod cases_files;
mod cases_fortress;
mod changelog;
mod corpus;
mod diagram;
mod explain;
mod game;
mod graph;
mod graph_roots;
mod limit;
mod notation;
mod notation_errors;
mod notation_properties;
mod perft;
mod record_every;
mod record_forms;
mod record_made;
mod record_sheets;
mod rules;
mod rules_amendments;
mod rules_diff;
mod versions;
