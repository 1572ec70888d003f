-- query.sql - a table with % rows, an index, and a join of the table with itself.
create table t(a, b);
with recursive n(i) as (select 1 union all select i + 1 from n where i < %)
    insert into t select i, (i * 7919) & 1023 from n;
create index u on t(b);
select count(*), sum(x.a) from t x join t y on x.b = y.b where y.a < 400;
