import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'
import { visiblePulls } from './image-format.ts'
import { CancelPullButton, EditNameButton, PullProgress, RetryPullButton } from './pull-actions.tsx'
import { isPullInProgress, type Pull, pullsQuery } from './queries.ts'
import { useState } from 'react'
import { ErrorText } from '../../ui/problem.tsx'

interface PullsCardProps {
  serverId: string
  operates: boolean
  onOpen: (dialog: string) => void
}

export function PullsCard({ serverId, operates, onOpen }: PullsCardProps) {
  const { data = [], dataUpdatedAt } = useQuery(pullsQuery(serverId))
  const [hidden, hide] = useHiddenPulls()
  const pulls = visiblePulls(data, dataUpdatedAt, hidden)
  if (pulls.length === 0) return null
  return (
    <Card title="Pulls" flush>
      <ul className="divide-y divide-line">
        {pulls.map((pull) => (
          <li key={pull.id} className="flex flex-col gap-2 px-4 py-3">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <span className="min-w-0 font-mono text-sm font-medium wrap-anywhere" dir="ltr">
                {pull.image}
              </span>
              <PullBadge pull={pull} />
              <span className="text-sm text-muted">
                by <bdi>{pull.actor.name}</bdi>, <Time at={pull.created_at} />
              </span>
              <div className="ml-auto flex flex-wrap justify-end gap-2 max-sm:gap-1">
                <Button
                  variant="ghost"
                  aria-label={`Details of the pull of ${pull.image}`}
                  onClick={() => onOpen(pull.id)}
                >
                  Details
                </Button>
                {operates && isPullInProgress(pull) && <CancelPullButton serverId={serverId} pull={pull} />}
                {operates && !isPullInProgress(pull) && (
                  <>
                    <EditNameButton pull={pull} onOpen={onOpen} />
                    <RetryPullButton serverId={serverId} pull={pull} />
                  </>
                )}
                {!isPullInProgress(pull) && (
                  <Button
                    variant="ghost"
                    icon
                    aria-label={`Hide the failed pull of ${pull.image}`}
                    onClick={() => hide(pull.id)}
                  >
                    <X aria-hidden />
                  </Button>
                )}
              </div>
            </div>
            {isPullInProgress(pull) ? (
              <PullProgress pull={pull} />
            ) : (
              <ErrorText error={{ message: pull.error ?? '' }} />
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function PullBadge({ pull }: { pull: Pull }) {
  if (pull.status === 'failed') return <Badge tone="red">Failed</Badge>
  return <Badge tone="yellow">{pull.status === 'queued' ? 'Queued' : 'Pulling'}</Badge>
}

const key = 'hidden-pulls'

const most = 100

const read = () => (sessionStorage.getItem(key) ?? '').split(' ')

/** Returns the IDs of dismissed failures, which stay hidden until the browser tab closes. */
function useHiddenPulls(): [readonly string[], (id: string) => void] {
  const [hidden, setHidden] = useState(read)
  function hide(id: string) {
    const after = [...read(), id].slice(-most)
    sessionStorage.setItem(key, after.join(' '))
    setHidden(after)
  }
  return [hidden, hide]
}
