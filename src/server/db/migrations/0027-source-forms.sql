-- In which forms an origin has told a row: a bit each for a statement and for a report of the day so
-- far, without an id of the bank and with one. What is not known counts as all of them.
alter table source_rows add column form integer not null default 15;

-- The forms of all rows of an account.
alter table source_accounts add column forms integer not null default 15;

-- JSON: the ranges of days of which statements have told all bookings; null where none has.
alter table source_accounts add column booked text;
