-- The keys that hash and encrypt, each encrypted with every ENCRYPTION_KEY that may be in use: so
-- that a new one takes the place of an old one without touching what they have hashed and encrypted.
create table data_keys (
  -- hashing or columns
  purpose text not null,
  -- Counts up with each new key of a purpose; only columns ever get another one.
  number integer not null,
  -- The id of the ENCRYPTION_KEY that it is encrypted with here.
  master_id text not null,
  -- Counts up with each new ENCRYPTION_KEY.
  master_number integer not null,
  sealed text not null,
  primary key (purpose, number, master_id)
);
