-- Attempts are listed by when they were created, which is not the order in which a file names them.
create index identity_verifications_newest
  on identity_verifications (client_id, template_id, created_at, sequence);

-- The same for those of one user.
drop index identity_verifications_user;
create index identity_verifications_user
  on identity_verifications (client_id, client_user_id, template_id, created_at, sequence);
