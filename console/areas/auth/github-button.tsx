import { useQuery } from '@tanstack/react-query'
import { markSignIn } from '../../lib/sign-in-mark.ts'
import { ButtonAnchor } from '../../ui/button.tsx'
import { GitHubMark } from '../../ui/github-mark.tsx'
import { authOptionsQuery } from './queries.ts'

interface GitHubButtonProps {
  children: string
  /** Token of the setup link, for the first account. */
  setup?: string | null
}

export function GitHubButton({ children, setup }: GitHubButtonProps) {
  const { data: options } = useQuery(authOptionsQuery)
  if (!options?.github) return null
  return (
    <>
      <ButtonAnchor
        href={`/v1/auth/redirect${setup ? `?setup=${encodeURIComponent(setup)}` : ''}`}
        onClick={markSignIn}
        wide
      >
        <GitHubMark />
        {children}
      </ButtonAnchor>
      <div className="flex items-center gap-3 text-sm text-muted">
        <span className="h-px flex-1 bg-line" />
        or
        <span className="h-px flex-1 bg-line" />
      </div>
    </>
  )
}
