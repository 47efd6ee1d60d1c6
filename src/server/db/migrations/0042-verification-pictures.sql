-- Pictures that people uploaded for identity verifications.

-- A JSON array of the names, types and times of the attempt's pictures.
alter table identity_verifications add column pictures text not null default '[]';

create table identity_verification_pictures (
  client_id text not null,
  attempt_id text not null,
  -- Such as `original_front_1`: the number is the one of the upload.
  name text not null,
  -- `jpeg` or `png`.
  type text not null,
  -- Encrypted: the picture's own key.
  picture_key text not null,
  -- In real ms.
  stored_at bigint not null,
  primary key (client_id, attempt_id, name)
);

create index identity_verification_pictures_age
  on identity_verification_pictures (client_id, stored_at);

-- Pictures in parts, encrypted with their own keys: a rotation of keys need not encrypt them again.
create table identity_verification_picture_parts (
  client_id text not null,
  attempt_id text not null,
  name text not null,
  part integer not null,
  sealed text not null,
  primary key (client_id, attempt_id, name, part)
);
