-- Deletes records that have been free for at least the given time. Ends sessions of heads that lapsed
-- at least as long ago, and removes heads that have held as long and whose sessions are over. Sessions
-- that hold nothing expire. Before a record is deleted, the floor is raised to its number, so that the
-- numbers of a new record are greater.
--
-- ARGV[4]  the time in microseconds
-- ARGV[5]  limit of free records and of held locks that are examined
-- ARGV[6]  the name after which held locks are examined, as ZRANGEBYLEX takes it
-- Returns {how many records and heads were removed, the last name examined, or nothing at the end}.

identify()
write_though_full()
local before = now - ARGV[4]
local gone = 0

-- A record that is free since a time in the future counts as free since now: the clock was set back.
for _, name in ipairs(
  redis.call('ZRANGEBYSCORE', base .. 'free', '(' .. text(now), '+inf', 'LIMIT', 0, ARGV[5])) do
  redis.call('ZADD', base .. 'free', text(now), name)
end

for _, name in ipairs(
  redis.call('ZRANGEBYSCORE', base .. 'free', '-inf', text(before), 'LIMIT', 0, ARGV[5])) do
  local lock = read(name)
  if lock.number > floor then
    floor = lock.number
    redis.call('HSET', namespace, 'floor', text(floor))
  end
  redis.call('DEL', lock_key(name))
  redis.call('ZREM', base .. 'free', name)
  gone = gone + 1
end

local function has_long_lapsed(session)
  local found = redis.call('HMGET', session_key(session), 'ttl', 'renewed')
  if found[1] and tonumber(found[2]) > now then
    stamp_session(session, tonumber(found[1]))
    return false
  end
  return found[1] and found[2] + found[1] + step <= before
end

local names = redis.call('ZRANGEBYLEX', base .. 'held', ARGV[6], '+', 'LIMIT', 0, ARGV[5])
for _, name in ipairs(names) do
  local lock = read(name)
  if lock.since > now then
    lock.since = now
    redis.call('HSET', lock_key(name), 'since', text(now))
  end
  local session = lock.queue ~= '' and session_of(head(lock.queue))
  if session and has_long_lapsed(session) then
    redis.call('DEL', session_key(session))
    gone = gone + 1
  end
  if session and lock.since <= before and not is_alive(session) then
    remove_head(lock)
    gone = gone + 1
  end
end
return {tostring(gone), #names == tonumber(ARGV[5]) and names[#names]}
