-- Shared by scripts that take a request out of a queue, or let others in.

-- A hand-over passes by so many waiters whose sessions are over. The next one gets the lock in any
-- case, and is overtaken if its session is over, too.
local PASSED_BY_MAX = 64

local function free(lock)
  call('ZREM', base .. 'held', lock.name)
  if incarnation and lock.number > floor then
    floor = lock.number
    call('HSET', namespace, 'floor', text(floor))
  end
  call('DEL', lock.key, lock.queue, lock.entries)
  lock.exists, lock.has_queue = false, false
end

-- Takes a request out of the sorted set, and returns its entry.
local function take(lock, request)
  local entry = call('HGET', lock.entries, request)
  call('ZREM', lock.queue, request)
  call('HDEL', lock.entries, request)
  return entry
end

-- Whether the session of a request that is let in lives, and the channel of its hints.
local function session_let_in(request)
  local session = session_of(request)
  local found = call('HMGET', session_key(session), 'life', 'channel')
  return life and found[1] == life, session, found[2]
end

-- The first waiter holds the lock from now on. Returns false if there is none.
local function hand_over(lock)
  for passed = 0, PASSED_BY_MAX do
    local first = call('ZRANGE', lock.queue, 0, 0, 'WITHSCORES')
    if #first == 0 then
      return false
    end
    local entry = take(lock, first[1])
    local lives, session, channel = session_let_in(first[1])
    if lives or passed == PASSED_BY_MAX then
      begin(lock, entry)
      lock.head = tonumber(first[2])
      tell(lock, session, channel)
      return true
    end
  end
end

-- The shared requests before the first exclusive one that waits hold the lock from now on, together
-- with a run that may be joined. Requests whose sessions are over are taken away. Nothing is written
-- into the entries of those who are let in. Returns whether anything has changed.
local function let_in(lock)
  local changed = false
  local limit = 1
  while may_be_joined(lock) do
    local some = call('ZRANGEBYSCORE', lock.queue, '(' .. text(lock.head), '+inf', 'WITHSCORES',
      'LIMIT', 0, limit)
    for i = 1, #some, 2 do
      local request = some[i]
      local lives, session, channel = session_let_in(request)
      if not lives then
        take(lock, request)
      elseif sub(call('HGET', lock.entries, request), 1, 1) == 'x' then
        return changed
      else
        lock.head = tonumber(some[i + 1])
        tell(lock, session, channel)
      end
      changed = true
    end
    if #some == 0 then
      return changed
    end
    limit = 64
  end
  return changed
end

-- Takes a request out of the queue, wherever it stands. If none holds the lock then, the next waiter
-- does, or the newcomer if none waits.
local function remove(lock, name, newcomer)
  local held = standing(lock, name) == 'holds'
  if lock.holder == name then
    lock.entry, lock.holder = '', ''
  else
    take(lock, name)
  end
  if held and lock.holder == ''
    and (not lock.has_queue or call('ZCOUNT', lock.queue, '-inf', text(lock.head)) == 0)
    and not (lock.has_queue and hand_over(lock)) then
    if not newcomer then
      return free(lock)
    end
    begin(lock, newcomer)
  end
  if let_in(lock) or held then
    write(lock)
  elseif call('EXISTS', lock.queue) == 0 then
    call('SETRANGE', lock.key, 0, '0')
  end
end

-- Puts an entry in the place of that of a holder. Its name may be another.
local function replace(lock, name, entry)
  local other = request_of(entry)
  if lock.holder == name then
    lock.entry, lock.holder = entry, other
    return write(lock)
  end
  if other ~= name then
    local position = call('ZSCORE', lock.queue, name)
    take(lock, name)
    call('ZADD', lock.queue, position, other)
  end
  call('HSET', lock.entries, other, entry)
end

-- Removes a holder that does not count any more. One whose session is over and whose lock-delay is not
-- used up has a stay instead, which begins now. Returns whether anything has changed.
local function overtake(lock, name, newcomer)
  local entry = entry_of(lock, name)
  local state = judge(lock, name, entry)
  if state ~= 'ENDED' and state ~= 'REVOCATION_DUE' then
    return false
  end
  local delay = delay_of(entry)
  if state == 'ENDED' and delay > 0 then
    replace(lock, name, without_delay(with_stay(entry, 'd', delay)))
  else
    remove(lock, name, newcomer)
  end
  return true
end

-- See release.lua for the answer.
local function release(lock, request)
  local state = standing(lock, request)
  if not state then
    return 'NOTHING'
  end
  local number = lock.number
  remove(lock, request)
  if state == 'waits' then
    return 'WAS_WAITING'
  end
  if not lock.exists then
    return 'FREED'
  end
  return lock.number == number and 'SHARED' or 'HANDED_ON'
end

