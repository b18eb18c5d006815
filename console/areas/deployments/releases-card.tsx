import { useInfiniteQuery } from '@tanstack/react-query'
import { GitCompare, Undo2 } from 'lucide-react'
import { Commit } from '../../lib/commit.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ImageName } from '../../ui/image-name.tsx'
import { ActionsMenu, MenuItem } from '../../ui/menu/dropdown-menu.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { type Release, releasesQuery } from './queries.ts'
import { canRollBackTo, shortDigest } from './deployment-labels.ts'

function ReleaseImages({ release }: { release: Pick<Release, 'image' | 'services'> }) {
  const { image, services } = release
  if (services === null)
    return (
      // The name takes the remaining width and must not widen the column.
      <span className="block max-sm:min-w-0 sm:min-w-40">
        <span className="flex sm:w-0 sm:min-w-full">
          <ImageName>{image}</ImageName>
        </span>
      </span>
    )
  return (
    <ul className="flex min-w-0 flex-col py-1 max-sm:py-0 sm:min-w-48">
      {services.map(({ name, image: of, digest }) => (
        <li key={name} className="flex min-w-0 gap-x-2 sm:w-0 sm:min-w-full">
          <bdi className="shrink-0 text-muted">{name}</bdi>
          <span
            title={digest === null ? undefined : `${of} (${shortDigest(digest)})`}
            className="flex min-w-0"
          >
            <ImageName>{of}</ImageName>
          </span>
        </li>
      ))}
    </ul>
  )
}

interface ReleasesCardProps {
  applicationId: string
  source: Source
  deploys: boolean
  onRollBack: (release: Release) => void
  onCompare: (release: Release) => void
}

type Source = 'image' | 'compose' | 'repository'

const releaseContent: Record<Source, string> = {
  image: 'an image and the settings of the application',
  compose: 'a compose file, its images and the settings of the application',
  repository: 'the image built from a commit, and the settings of the application',
}

export function ReleasesCard({ applicationId, source, ...rest }: ReleasesCardProps) {
  const { deploys, onRollBack, onCompare } = rest
  const query = useInfiniteQuery(releasesQuery(applicationId))
  const menu = (release: Release) => (
    <ReleaseMenu
      release={release}
      onRollBack={deploys && canRollBackTo(release) ? () => onRollBack(release) : undefined}
      onCompare={() => onCompare(release)}
    />
  )
  return (
    <>
      <Card
        title="Releases"
        description={`A release contains ${releaseContent[source]}. You can roll back to the ten most recent releases that were live.`}
        flush
      >
        <QueryTable
          label="Releases"
          things="releases"
          query={query}
          empty={{ title: 'No releases yet', text: 'Each deployment creates a release.' }}
          columns={releaseColumns(source)}
          rowKey={({ id }) => id}
          actions={menu}
          skeletonRows={2}
        />
      </Card>
      <LoadMore query={query} />
    </>
  )
}

interface ReleaseMenuProps {
  release: Release
  /** `onRollBack` is undefined if the release or the role of the user does not allow a rollback. */
  onRollBack: (() => void) | undefined
  onCompare: () => void
}

const ReleaseMenu = ({ release, onRollBack, onCompare }: ReleaseMenuProps) => (
  <ActionsMenu name={`release ${release.number}`}>
    {onRollBack && (
      <MenuItem onSelect={onRollBack}>
        <Undo2 aria-hidden />
        Roll back to this release…
      </MenuItem>
    )}
    <MenuItem onSelect={onCompare}>
      <GitCompare aria-hidden />
      Compare with current configuration
    </MenuItem>
  </ActionsMenu>
)

const number: Column<Release> = {
  head: 'Release',
  cell: (release) => (
    <span className="tabular-nums">
      <span className="sm:hidden">Release </span>
      {release.number}
    </span>
  ),
  narrow: true,
}
const state: Column<Release> = {
  head: 'Status',
  cell: (release) => <ReleaseStatus release={release} />,
  narrow: true,
  phone: 'first-end',
}
const images: Column<Release> = {
  head: 'Image',
  cell: (release) => <ReleaseImages release={release} />,
  phone: 'second',
}
const digestOf: Column<Release> = {
  head: 'Digest',
  cell: ({ digest }) =>
    digest === null ? (
      <span className="text-muted">Local image</span>
    ) : (
      <span className="inline-flex items-center gap-1">
        <span className="font-mono" title={digest}>
          {shortDigest(digest)}
        </span>
        <CopyButton text={digest} label="Copy digest" />
      </span>
    ),
  roomy: true,
  desk: true,
}
const live: Column<Release> = {
  head: 'Last live',
  cell: ({ live_at: at, deploying }) =>
    at === null ? (
      <span className="whitespace-nowrap text-muted">{deploying ? 'Not yet' : 'Never'}</span>
    ) : (
      <Time at={at} />
    ),
  narrow: true,
  phone: 'second-end',
}

const commitOf: Column<Release> = {
  head: 'Commit',
  cell: ({ commit }) => commit && <Commit commit={commit} />,
  phone: 'second',
}

const imageColumns: [Column<Release>, ...Column<Release>[]] = [number, state, images, digestOf, live]
/** Images built from a repository have no registry digest, so the column would be empty. */
const repositoryColumns: typeof imageColumns = [number, state, commitOf, live]
const composeColumns: typeof imageColumns = [number, state, { ...images, head: 'Images' }, live]

const releaseColumns = (source: Source) =>
  source === 'image' ? imageColumns : source === 'compose' ? composeColumns : repositoryColumns

function ReleaseStatus({
  release: { current, deploying, image_available: available, live_at: at },
}: {
  release: Release
}) {
  if (current) return <Badge tone="green">Live</Badge>
  if (deploying) return <Badge tone="yellow">Deploying</Badge>
  if (at === null) return <Badge tone="neutral">Never live</Badge>
  return <Badge tone="neutral">{available ? 'Available' : 'Image removed'}</Badge>
}
