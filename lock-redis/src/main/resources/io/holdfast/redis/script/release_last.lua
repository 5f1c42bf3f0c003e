-- The short way of a release: nothing has changed at the server, and the request is alone in its queue.
-- See release.lua for the arguments and the answer.

local function release_last()
  local number, queue = number_and_queue(ARGV[4])
  local mine = mark(ARGV[5])
  if not queue or string.sub(queue, 1, string.len(mine)) ~= mine
    or string.find(queue, ';', 1, true) ~= string.len(queue) then
    return nil
  end
  -- Its first write needs no memory: a full server does not refuse it.
  write_queue_with_new_head({name = ARGV[4], number = tonumber(number)}, '')
  return 'FREED'
end

local freed = is_known_incarnation and release_last()
if freed then
  return freed
end

