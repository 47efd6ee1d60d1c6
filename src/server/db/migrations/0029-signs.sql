-- JSON: the signs of debts and charges in files of each format, where an operator has said them.
alter table source_accounts add column signs text;
