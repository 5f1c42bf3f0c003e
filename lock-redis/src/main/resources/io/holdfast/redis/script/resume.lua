-- Finds requests of a session, holding or waiting, among some of the held locks: no other lock has a
-- queue. From now on hints for the session go to the client that asks.
--
-- A queue may have more requests than are examined at once. They never go back: a request has its
-- position until it leaves, or until it is the holder in the record, which is examined each time.
--
-- ARGV[4]  session
-- ARGV[5]  channel of the client's hints
-- ARGV[6]  how many requests are examined, or some more
-- ARGV[7]  from which name on held locks are examined, as ZRANGEBYLEX takes it
-- ARGV[8]  position behind which the queue of that name is examined
-- Returns {where to go on: a name as in ARGV[7], or "" at the end, and a position, name, request, name,
-- request, …}; nothing if the session is over.

identify()
write_though_full()
require_change()
if not is_alive(ARGV[4]) then
  return false
end
call('HSET', session_key(ARGV[4]), 'channel', ARGV[5])

local limit = tonumber(ARGV[6])
local examined = 0
local answer = {'', '0'}

local function examine(lock, request)
  examined = examined + 1
  if session_of(request) == ARGV[4] then
    table.insert(answer, lock.name)
    table.insert(answer, request)
  end
end

-- Returns the last position examined if there may be others behind it.
local function examine_queue(lock, position)
  while lock.has_queue do
    local some = call('ZRANGEBYSCORE', lock.queue, '(' .. position, '+inf', 'WITHSCORES',
      'LIMIT', 0, 64)
    if #some == 0 then
      return nil
    end
    for i = 1, #some, 2 do
      examine(lock, some[i])
    end
    position = some[#some]
    if examined >= limit then
      return position
    end
  end
end

for _, name in ipairs(call('ZRANGEBYLEX', base .. 'held', ARGV[7], '+', 'LIMIT', 0, limit)) do
  local lock = read(name)
  examine(lock, lock.holder)
  local behind = examine_queue(lock, ARGV[7] == '[' .. name and ARGV[8] or '0')
  if behind then
    answer[1], answer[2] = '[' .. name, behind
    return answer
  end
  if examined >= limit then
    answer[1] = '(' .. name
    return answer
  end
end
return answer
