-- Shared by scripts that answer with a record.

-- How many of those who share a lock are judged in one answer. Another part of them is judged each
-- time, so none is left out for long.
local JUDGED_MAX = 64

-- The holders as a list of entry, liveness, how long it stands or "", rest of the stay or "", …
local function judged(lock, limit)
  local answer = {}
  local found = holders(lock, limit)
  for i = 1, #found, 2 do
    local state, due, left = judge(lock, found[i], found[i + 1])
    table.insert(answer, found[i + 1])
    table.insert(answer, state)
    table.insert(answer, due and text(due) or '')
    table.insert(answer, left and text(left) or '')
  end
  return answer
end

local function record(lock, limit, waiters)
  return {lock.name, text(lock.number), text(lock.since), judged(lock, limit), waiters}
end

-- The record without those who wait: it costs the same however many they are.
local function refused(lock)
  return {'refused', unpack(record(lock, JUDGED_MAX, {}))}
end

local function holding(word, lock)
  return {word, text(lock.number), text(lock.since), waiting(lock) > 0 and '1' or '0'}
end

-- The answer for a request that holds or waits already; nil if it does neither.
local function stands(lock, request)
  local state = standing(lock, request)
  if state == 'holds' then
    return holding('granted', lock)
  end
  return state and {'queued'}
end

-- Entries of the queue from an index on, so many at most, without payloads: those are shown of
-- holders only.
local function entries_from(lock, from, most)
  local found = {}
  while lock.has_queue and #found < most do
    local names = call('ZRANGE', lock.queue, from, from + math.min(64, most - #found) - 1)
    if #names == 0 then
      break
    end
    for i, entry in ipairs(call('HMGET', lock.entries, unpack(names))) do
      local texts = sub(entry, 51, 53) + sub(entry, 54, 57)
      table.insert(found, sub(entry, 1, 58 + #names[i] + texts))
    end
    from = from + #names
  end
  return found
end

-- The record for people, with so many waiters at most, and how many there are.
local function full_record(lock, most)
  local from = lock.has_queue and is_shared(lock)
    and call('ZCOUNT', lock.queue, '-inf', text(lock.head)) or 0
  local answer = record(lock, nil, entries_from(lock, from, most))
  table.insert(answer, tostring(waiting(lock)))
  return answer
end

