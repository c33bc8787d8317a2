//! What a user of the simulated app-server relies on, over a pair of pipes.

#[path = "app_server/client.rs"]
#[expect(dead_code, reason = "another test uses the rest of the client")]
mod client;
#[path = "app_server/cut.rs"]
mod cut;
#[path = "app_server/faults.rs"]
mod faults;
#[path = "app_server/served.rs"]
mod served;
#[path = "app_server/threads.rs"]
mod threads;
#[path = "app_server/turns.rs"]
mod turns;
