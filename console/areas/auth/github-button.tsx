import { useQuery } from '@tanstack/react-query'
import { ButtonAnchor } from '../../ui/button.tsx'
import { GitHubMark } from '../../ui/logo.tsx'
import { authOptionsQuery } from './queries.ts'

interface GitHubButtonProps {
  children: string
  setup?: string | null
}

export function GitHubButton({ children, setup }: GitHubButtonProps) {
  const { data: options } = useQuery(authOptionsQuery)
  if (!options?.github) return null
  return (
    <>
      <ButtonAnchor
        href={`/v1/auth/redirect${setup ? `?setup=${encodeURIComponent(setup)}` : ''}`}
        onClick={markLogin}
        size="large"
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

const key = 'login'

/** Marks that this tab started a login with GitHub. A link to the console cannot set the mark. */
const markLogin = () => sessionStorage.setItem(key, 'started')

/** Returns whether this tab started a login, and removes the mark. */
export function consumeLoginMark(): boolean {
  const isMarked = sessionStorage.getItem(key) !== null
  sessionStorage.removeItem(key)
  return isMarked
}
