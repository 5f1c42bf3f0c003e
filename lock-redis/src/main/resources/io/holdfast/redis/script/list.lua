-- Tells the records of held locks in the order of their names' bytes, until it has told enough of them
-- or of their requests.
--
-- ARGV[4…5]  from and to, as ZRANGEBYLEX takes them
-- ARGV[6]    how many records at most
-- ARGV[7]    after how many requests it is enough
-- Returns {where to go on, as ARGV[4], or "" at the end, record, record, …}, see inspect.lua.

identify()
local limit, enough = tonumber(ARGV[6]), tonumber(ARGV[7])
local told = 0
local answer = {''}
local names = call('ZRANGEBYLEX', base .. 'held', ARGV[4], ARGV[5], 'LIMIT', 0, limit)
for i, name in ipairs(names) do
  local lock = read(name)
  if lock.exists then -- Else its record was deleted by hand.
    table.insert(answer, full_record(lock, math.huge))
    told = told + 1 + (lock.has_queue and call('ZCARD', lock.queue) or 0)
  end
  if told >= enough or i == limit then
    answer[1] = '(' .. name
    return answer
  end
end
return answer
