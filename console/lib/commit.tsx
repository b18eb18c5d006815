import { ExternalTextLink } from '../ui/text-link.tsx'

interface CommitProps {
  commit: { sha: string; message: string; branch: string | null; url: string }
  branch?: boolean
}

export const Commit = ({ commit, branch = false }: CommitProps) => (
  <span className="inline-flex max-w-full items-baseline gap-2">
    <ExternalTextLink href={commit.url} className="shrink-0 font-mono text-sm">
      {commit.sha.slice(0, 7)}
    </ExternalTextLink>
    <span dir="auto" title={commit.message} className="line-clamp-1 break-all">
      {commit.message}
    </span>
    {branch && commit.branch !== null && (
      <span className="shrink-0 text-sm text-muted">
        on <bdi>{commit.branch}</bdi>
      </span>
    )}
  </span>
)
