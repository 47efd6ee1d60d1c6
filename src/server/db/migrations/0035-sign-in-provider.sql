-- Users of the dashboard who sign in at an identity provider.

-- A keyed hash of the provider's name for the user; null before their first sign-in there.
alter table dashboard_users add column subject_hash text;
alter table dashboard_operators add column subject_hash text;

create index dashboard_users_subject on dashboard_users (subject_hash)
  where subject_hash is not null;
create index dashboard_operators_subject on dashboard_operators (subject_hash)
  where subject_hash is not null;

-- Their first sign-in names them by their address.
create index dashboard_users_email on dashboard_users (lower(email_address));
