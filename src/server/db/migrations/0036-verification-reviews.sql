-- What reviewers decide about identity verifications.

-- Counts the changes of an attempt: a decision that is based on an older state is rejected.
alter table identity_verifications add column revision integer not null default 0;
-- A JSON array of what reviewers decided, with their reasons.
alter table identity_verifications add column decisions text not null default '[]';
-- 1: a reviewer has rejected it, or it was retried, so that it leaves the queue.
alter table identity_verifications add column review_closed integer not null default 0;

-- Lists of the dashboard, the newest first.
create index identity_verifications_queue on identity_verifications (client_id, created_at, id)
  where status in ('failed', 'pending_review') and review_closed = 0;
create index identity_verifications_status
  on identity_verifications (client_id, status, created_at, id);
create index identity_verifications_all on identity_verifications (client_id, created_at, id);
create index identity_verifications_of_user
  on identity_verifications (client_id, client_user_id, created_at, id);
