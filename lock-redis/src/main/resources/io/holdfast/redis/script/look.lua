-- Tells how requests stand, and which requests ahead of them do not count.
--
-- ARGV[4]  the session that asks
-- ARGV[5…] name, request, name, request, …
-- Returns for each {"holding", number, since, "1" if others wait, mode}, {"absent"}, or {"waiting", how
-- many are ahead, number, a holder, how long the judgement of the one directly ahead stands or "",
-- request, liveness, "1" if it holds, request, liveness, …}.

identify()
if ARGV[3] == '1' then
  write_though_full()
end
require_change()

-- How many waiters at the front are named that do not count.
local NAMED_MAX = 32

-- A session that is over holds nothing, even if its request has become the head.
local alive = is_alive(ARGV[4])

local function name_obstacle(answer, name, state, holds)
  if state ~= 'LIVE' and state ~= 'STAYING' then
    table.insert(answer, (string.gsub(name, '^~', '')))
    table.insert(answer, state)
    table.insert(answer, holds and '1' or '0')
  end
end

-- Judges holders: a part of them for the first waiter, who waits for them all, and one of them for the
-- others. Returns how long the judgement stands, or "".
local function judge_holders(answer, lock, limit)
  local found = holders(lock, limit)
  local soonest
  local doubtful = false
  for i = 1, #found, 2 do
    local state, due = judge(lock, found[i], found[i + 1])
    name_obstacle(answer, found[i], state, true)
    doubtful = doubtful or not due
    soonest = due and math.min(due, soonest or due)
  end
  answer[4] = string.gsub(found[1], '^~', '')
  return not doubtful and soonest and text(soonest) or ''
end

-- Judges waiters: from the front up to the first that counts, and the one directly ahead.
local function judge_waiters(answer, lock, position)
  local head, mine = '(' .. text(lock.head), '(' .. text(position)
  local last = call('ZREVRANGEBYSCORE', lock.queue, mine, head, 'LIMIT', 0, 1)[1]
  local state, due = liveness(session_of(last))
  for i = 0, NAMED_MAX - 1 do
    local name = call('ZRANGEBYSCORE', lock.queue, head, mine, 'LIMIT', i, 1)[1]
    if name == last then
      break
    end
    local other = liveness(session_of(name))
    name_obstacle(answer, name, other, false)
    if other == 'LIVE' then
      break
    end
  end
  name_obstacle(answer, last, state, false)
  return due and text(due) or ''
end

local function look(name, request)
  local lock = read(name)
  local state, position = standing(lock, request)
  if not state or not alive then
    return {'absent'}
  end
  if state == 'holds' then
    local answer = holding('holding', lock)
    answer[5] = is_shared(lock) and 's' or 'x'
    return answer
  end
  local sharing = is_shared(lock) and call('ZCOUNT', lock.queue, '-inf', text(lock.head)) or 0
  local before = call('ZRANK', lock.queue, request)
  local ahead = before - sharing + 1
  local answer = {'waiting', text(ahead), text(lock.number), '', ''}
  local is_first = before == sharing
  local due = judge_holders(answer, lock, is_first and JUDGED_MAX or 1)
  answer[5] = is_first and due or judge_waiters(answer, lock, position)
  return answer
end

local answers = {}
for i = 5, #ARGV, 2 do
  table.insert(answers, look(ARGV[i], ARGV[i + 1]))
end
return answers
