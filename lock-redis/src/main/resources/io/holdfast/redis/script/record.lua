-- Shared by scripts about locks: the record, the queue and stays.

local function request_of(entry)
  return string.match(entry, '^[^,]+', 58) or ''
end

-- Begins an error by which the one lock of a script is not ours: of that lock nothing was changed before.
local UNTOUCHED = 'HOLDFASTFOREIGN '

local function read(name, in_front)
  local lock = {
    name = name,
    key = base .. 'lock:' .. name,
    queue = base .. 'queue:' .. name,
    entries = base .. 'entries:' .. name,
  }
  local record = redis.pcall('GET', lock.key)
  if type(record) == 'table' then
    error((in_front or '') .. record.err)
  elseif record then
    lock.exists = true
    lock.has_queue = sub(record, 1, 1) == '1'
    lock.head = tonumber(sub(record, 2, 17))
    lock.number = tonumber(sub(record, 18, 33))
    lock.since = tonumber(sub(record, 34, 49))
    lock.life = sub(record, 50, 65)
    lock.entry = sub(record, 66)
    lock.holder = request_of(lock.entry)
    if not (lock.head and lock.number and lock.since) then
      error((in_front or '') .. 'WRONGTYPE This is not the record of a lock')
    end
  else
    lock.head, lock.number, lock.since, lock.life = 0, 0, 0, NO_TIME
    lock.entry, lock.holder = '', ''
  end
  return lock
end

local function write(lock)
  lock.exists = true
  lock.has_queue = call('EXISTS', lock.queue) == 1
  call('SET', lock.key, (lock.has_queue and '1' or '0') .. text(lock.head) .. text(lock.number)
    .. text(lock.since) .. lock.life .. lock.entry)
end

-- Makes an entry that of the holder, under a new number. It is greater than every earlier number of
-- this lock, also if the clock was set back or the record was deleted.
local function begin(lock, entry)
  lock.number = math.max(now, lock.number + 1, floor + 1)
  lock.since = now
  lock.life = life or NO_TIME
  lock.entry, lock.holder = entry, request_of(entry)
end

local function take_free(lock, entry)
  begin(lock, entry)
  write(lock)
  call('ZADD', base .. 'held', 0, lock.name)
end

-- Whether a request holds the lock, "holds", or waits for it, "waits", and its position in the sorted
-- set if it is there; nil if it does neither.
local function standing(lock, request)
  if lock.holder == request then
    return 'holds'
  end
  local position = lock.has_queue and tonumber(call('ZSCORE', lock.queue, request) or nil)
  if position then
    return position <= lock.head and 'holds' or 'waits', position
  end
end

-- The name under which a request holds the lock: its own, or the one under which it stays.
local function name_of_holder(lock, request)
  for _, name in ipairs({request, '~' .. request}) do
    if standing(lock, name) == 'holds' then
      return name
    end
  end
end

local function entry_of(lock, name)
  return lock.holder == name and lock.entry or call('HGET', lock.entries, name)
end

local function waiting(lock)
  return lock.has_queue and call('ZCOUNT', lock.queue, '(' .. text(lock.head), '+inf') or 0
end

local function is_shared(lock)
  return lock.exists and sub(lock.entry, 1, 1) ~= 'x'
end

-- Whether a further request may have the number of the present run. Not if grants may have been lost
-- since it was given: an exclusive grant may have followed that is lost.
local function may_be_joined(lock)
  return is_shared(lock) and lock.life == life
end

-- Sends a hint to the session of a request. A hint that fails must not fail the change.
local function tell(lock, session, channel)
  if channel then
    redis.pcall('PUBLISH', channel, session .. lock.name)
  end
end

local function kind_of(entry)
  return sub(entry, 2, 2)
end

-- The entry with a stay that begins now.
local function with_stay(entry, kind, time)
  return sub(entry, 1, 1) .. kind .. now_text .. text(time) .. sub(entry, 35)
end

local function delay_of(entry)
  return tonumber(sub(entry, 35, 50))
end

local function without_delay(entry)
  return sub(entry, 1, 34) .. NO_TIME .. sub(entry, 51)
end

-- The rest of the stay of an entry; nil if it has none. One that begins in the future begins now
-- instead: the clock was set back, and without this the stay would end later than it should. One that
-- began under an earlier incarnation was written by another clock, so it counts from the beginning of
-- this one.
local function stay_left(lock, name, entry)
  if kind_of(entry) == '-' then
    return nil
  end
  local from = tonumber(sub(entry, 3, 18))
  if from > now then
    from = now
    if lock.holder == name then
      lock.entry = sub(entry, 1, 2) .. now_text .. sub(entry, 19)
      redis.pcall('SETRANGE', lock.key, 67, now_text)
    else
      redis.pcall('HSET', lock.entries, name, sub(entry, 1, 2) .. now_text .. sub(entry, 19))
    end
  end
  return math.max(0, math.max(from, began) + sub(entry, 19, 34) - now)
end

-- Judges an entry that holds the lock. Also returns how long the judgement stands, if it is "LIVE" or
-- "STAYING", and the rest of the stay.
local function judge(lock, name, entry)
  local left = stay_left(lock, name, entry)
  local kind = kind_of(entry)
  if kind == 'a' or kind == 'd' then
    return left > 0 and 'STAYING' or 'ENDED', left > 0 and left or nil, left
  end
  local state, due = liveness(session_of(name))
  if left == 0 and state ~= 'ENDED' then
    return 'REVOCATION_DUE', nil, left
  end
  return state, due and math.min(due, left or due), left
end

-- Entries that hold the lock, as a list of name, entry, name, entry, …: all, or so many at most. If
-- there are more, another part of them each time.
local function holders(lock, limit)
  local found = {}
  if lock.entry ~= '' then
    found = {lock.holder, lock.entry}
  end
  if not lock.has_queue or not is_shared(lock) then
    return found
  end
  local head = text(lock.head)
  local from = 0
  local count = call('ZCOUNT', lock.queue, '-inf', head)
  if limit and count > limit then
    from = now % count
    count = limit
  end
  while count > 0 do
    local names = call('ZRANGEBYSCORE', lock.queue, '-inf', head, 'LIMIT', from, math.min(count, 64))
    if #names == 0 then
      break
    end
    for i, entry in ipairs(call('HMGET', lock.entries, unpack(names))) do
      table.insert(found, names[i])
      table.insert(found, entry)
    end
    from, count = from + #names, count - #names
  end
  return found
end

