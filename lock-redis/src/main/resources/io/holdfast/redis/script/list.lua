-- ARGV[4…5]  from and to, as ZRANGEBYLEX takes them
-- ARGV[6]    limit
-- Returns the records of held locks in the order of their names' bytes, see inspect.lua.

identify()
local answers = {}
for _, name in ipairs(
  call('ZRANGEBYLEX', base .. 'held', ARGV[4], ARGV[5], 'LIMIT', 0, ARGV[6])) do
  table.insert(answers, full_record(read(name), math.huge))
end
return answers
