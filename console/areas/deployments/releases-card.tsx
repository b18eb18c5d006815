import { useInfiniteQuery } from '@tanstack/react-query'
import { Ellipsis, GitCompare, Undo2 } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Copy } from '../../ui/copy.tsx'
import { DropdownMenu, MenuItem } from '../../ui/dropdown-menu.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Problem } from '../../ui/problem.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { type Release, releasesQuery } from './queries.ts'
import { ReleaseImages } from './release-images.tsx'
import { shortDigest } from './short-digest.ts'
import { isWayBack } from './way-back.ts'

interface ReleasesCardProps {
  applicationId: string
  /** Whether whoever looks may go back to one. */
  deploys: boolean
  onRollBack: (release: Release) => void
  onCompare: (release: Release) => void
}

/** What ran once and could again. */
export function ReleasesCard({ applicationId, deploys, onRollBack, onCompare }: ReleasesCardProps) {
  const query = useInfiniteQuery(releasesQuery(applicationId))
  const { data: releases, isError, refetch } = query
  const menu = (release: Release) => (
    <ReleaseMenu
      release={release}
      onRollBack={deploys && isWayBack(release) ? () => onRollBack(release) : undefined}
      onCompare={() => onCompare(release)}
    />
  )
  return (
    <>
      <Card
        title="Releases"
        description="Each is an image and the settings it ran with. The last ten that were live are kept on the server to go back to."
        flush
      >
        {releases?.length === 0 && (
          <EmptyState title="No releases yet">The first deployment makes one.</EmptyState>
        )}
        {isError && !releases && (
          <Problem title="The releases could not be loaded" onRetry={() => void refetch()}>
            Try again in a moment.
          </Problem>
        )}
        {releases?.length !== 0 && !(isError && !releases) && (
          <Table
            label="Releases"
            columns={columns}
            rows={releases}
            rowKey={({ id }) => id}
            actions={menu}
            skeletonRows={2}
          />
        )}
      </Card>
      <LoadMore query={query} />
    </>
  )
}

interface ReleaseMenuProps {
  release: Release
  /** Without it one cannot, or may not. */
  onRollBack: (() => void) | undefined
  onCompare: () => void
}

const ReleaseMenu = ({ release, onRollBack, onCompare }: ReleaseMenuProps) => (
  <DropdownMenu
    align="end"
    trigger={
      <Button variant="ghost" size="small" icon aria-label={`Actions for release ${release.number}`}>
        <Ellipsis aria-hidden />
      </Button>
    }
  >
    {onRollBack && (
      <MenuItem onSelect={onRollBack}>
        <Undo2 aria-hidden />
        Roll back to this one…
      </MenuItem>
    )}
    <MenuItem onSelect={onCompare}>
      <GitCompare aria-hidden />
      Compare with now
    </MenuItem>
  </DropdownMenu>
)

const columns: [Column<Release>, ...Column<Release>[]] = [
  { head: 'Release', cell: ({ number }) => <span className="tabular-nums">{number}</span>, narrow: true },
  { head: 'State', cell: (release) => <State release={release} /> },
  {
    head: 'Image',
    cell: (release) => <ReleaseImages release={release} />,
  },
  {
    head: 'Digest',
    cell: ({ digest, services }) =>
      services !== null ? null : digest === null ? (
        <span className="text-muted">Only on the server</span>
      ) : (
        <span className="inline-flex items-center gap-1">
          <span className="font-mono" title={digest}>
            {shortDigest(digest)}
          </span>
          <Copy text={digest} label="Copy the digest" />
        </span>
      ),
    roomy: true,
    desk: true,
  },
  {
    head: 'Live',
    cell: ({ live_at: at }) => (at === null ? <span className="text-muted">Never</span> : <Time at={at} />),
    narrow: true,
  },
]

function State({ release: { current, kept } }: { release: Release }) {
  if (current) return <Badge tone="green">Current</Badge>
  return <Badge tone="neutral">{kept ? 'Kept' : 'Not kept'}</Badge>
}
