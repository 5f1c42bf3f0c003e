-- Ends sessions of holders that lapsed at least as long ago as the given time, and removes holders that
-- have held as long and whose sessions or stays are over. Sessions that hold nothing expire, and free
-- locks have no record.
--
-- ARGV[4]  the time in microseconds
-- ARGV[5]  limit of held locks that are examined
-- ARGV[6]  the name after which held locks are examined, as ZRANGEBYLEX takes it
-- Returns {how many sessions and holders were removed, the last name examined, or nothing at the end}.

identify()
write_though_full()

-- How many of those who share a lock are examined.
local EXAMINED_MAX = 64

local before = now - ARGV[4]
local gone = 0

-- A time in the future, or of another clock, counts as the present.
local function has_long_lapsed(session)
  local found = call('HMGET', session_key(session), 'ttl', 'renewed', 'incarnation')
  if found[1] and (tonumber(found[2]) > now or found[3] ~= incarnation) then
    stamp_session(session, tonumber(found[1]))
    return false
  end
  return found[1] and found[2] + found[1] + step <= before
end

local function examine(lock, name)
  if sub(name, 1, 1) ~= '~' and has_long_lapsed(session_of(name)) then
    call('DEL', session_key(session_of(name)))
    gone = gone + 1
  end
  if lock.since <= before and standing(lock, name) == 'holds' and overtake(lock, name) then
    gone = gone + 1
  end
end

local names = call('ZRANGEBYLEX', base .. 'held', ARGV[6], '+', 'LIMIT', 0, ARGV[5])
for _, name in ipairs(names) do
  local lock = read(name)
  if not lock.exists then
    call('ZREM', base .. 'held', name) -- Its record was deleted by hand.
  elseif lock.since > now then
    lock.since = now
    write(lock)
  end
  local found = holders(lock, EXAMINED_MAX)
  for i = 1, #found, 2 do
    examine(lock, found[i])
  end
end
return {tostring(gone), #names == tonumber(ARGV[5]) and names[#names]}
