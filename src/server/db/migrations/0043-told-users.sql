-- What the source told its user in the last read, in its own words: plain text, in lines.
alter table item_pulls add column said text;
