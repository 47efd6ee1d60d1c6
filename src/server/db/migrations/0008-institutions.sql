-- Those of every client's world have client_id ''.
create table institutions (
  client_id text not null,
  institution_id text not null,
  name text not null,
  -- The name as searches compare it: lower case, without accents and punctuation.
  search_name text not null,
  -- JSON arrays, in which `like` finds a quoted element.
  products text not null,
  country_codes text not null,
  routing_numbers text not null,
  oauth integer not null,
  url text,
  primary_color text,
  logo text,
  -- JSON, as the wire has them.
  dtc_numbers text,
  status text,
  auth_methods text,
  -- Whether another way than Instant Auth gives account numbers.
  matches_auth integer not null,
  payment_initiation text,
  primary key (client_id, institution_id)
);
