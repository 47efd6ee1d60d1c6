-- JSON: the ranges of days of which files tell bookings or balances; null where it is not known.
alter table source_accounts add column told text;
