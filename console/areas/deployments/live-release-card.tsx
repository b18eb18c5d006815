import { useInfiniteQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Commit } from '../../lib/commit.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ImageName } from '../../ui/image-name.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { canRollBackTo, findLatestLive } from './deployment-labels.ts'
import { type Release, releasesQuery } from './queries.ts'

interface LiveReleaseCardProps {
  applicationId: string
  /** `onRollBack` is undefined for users who cannot deploy. */
  onRollBack: ((release: Release) => void) | undefined
  action: ReactNode
  source: ReactNode
}

export function LiveReleaseCard({ applicationId, onRollBack, action, source }: LiveReleaseCardProps) {
  const { data: releases } = useInfiniteQuery(releasesQuery(applicationId))
  const current = releases?.find((release) => release.current)
  const previous = releases && findLatestLive(releases.filter(canRollBackTo))
  if (!releases)
    return (
      <Card title="Release" action={action} description={source}>
        <Skeleton className="h-28 w-full" />
      </Card>
    )
  if (!current && !previous) return <Card title="Release" action={action} description={source} />
  return (
    <Card title="Release" action={action} description={source} flush>
      <ul className="divide-y divide-line">
        {current && <Row release={current} badge={<Badge tone="green">Live</Badge>} />}
        {previous && (
          <Row
            release={previous}
            badge={<Badge tone="neutral">Previous</Badge>}
            action={
              onRollBack && (
                <Button size="small" onClick={() => onRollBack(previous)}>
                  <Undo2 aria-hidden />
                  Roll back…
                </Button>
              )
            }
          />
        )}
      </ul>
    </Card>
  )
}

interface RowProps {
  release: Release
  badge: ReactNode
  action?: ReactNode
}

const Row = ({ release, badge, action }: RowProps) => (
  <li className="flex min-w-0 flex-col gap-1 px-4 py-3">
    <span className="flex min-h-7 items-center gap-2">
      <span className="font-medium tabular-nums">Release {release.number}</span>
      <span className="flex-1">{badge}</span>
      {action}
    </span>
    <Content release={release} />
    <span className="text-sm text-muted">
      {release.actor && (
        <>
          by <bdi>{release.actor.name}</bdi>,{' '}
        </>
      )}
      live <Time at={release.live_at ?? release.created_at} />
    </span>
  </li>
)

function Content({ release: { commit, image, services } }: { release: Release }) {
  if (commit) return <Commit commit={commit} branch />
  if (services === null) return <ImageName>{image}</ImageName>
  return (
    <ul className="flex flex-col">
      {services.slice(0, 4).map((service) => (
        <li key={service.name} className="flex min-w-0 gap-2 text-sm">
          <bdi className="shrink-0 text-muted">{service.name}</bdi>
          <ImageName>{service.image}</ImageName>
        </li>
      ))}
      {services.length > 4 && <li className="text-sm text-muted">and {services.length - 4} more</li>}
    </ul>
  )
}
