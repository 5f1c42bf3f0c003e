-- Deletes records that have been free for long, ends the sessions of heads that have lapsed as long
-- ago, and lets heads leave that have held for long and whose sessions are over. Sessions that hold
-- nothing expire. First the floor is raised: a record made anew starts above the deleted one.
--
-- ARGV[4]  for how long
-- ARGV[5]  how many of either are looked at
-- ARGV[6]  after which name held locks are looked at, as ZRANGEBYLEX takes it
-- Returns {how many are gone, the last name looked at, or nothing if it was the last of all}.

identify()
write_though_full()
local before = now - ARGV[4]
local gone = 0

-- What seems to be free since a time in the future is free since now: the clock was set back.
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
  if session and lock.since <= before and not lives(session) then
    pass_on(lock)
    gone = gone + 1
  end
end
return {tostring(gone), #names == tonumber(ARGV[5]) and names[#names]}
