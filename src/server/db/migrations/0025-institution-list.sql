-- What serves an institution of the operator's list, such as `file`; null for those of seed data.
alter table institutions add column connector text;
-- Its settings as JSON. A reference stands for a secret, which is never stored.
alter table institutions add column connector_settings text;
-- A hash of what the list says of it; null for those of seed data.
alter table institutions add column list_hash text;
-- Since when the list has it no more. Items keep it; nobody finds it for a new one.
alter table institutions add column delisted_at text;
