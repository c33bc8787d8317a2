//! The fleet, with shells and stand-ins as app-servers.
