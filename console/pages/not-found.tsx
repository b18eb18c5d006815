import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'

export function NotFoundPage() {
  return (
    <div className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-start justify-center gap-4 px-4">
      <p className="font-mono text-sm text-muted">404</p>
      <h1 className="text-xl font-semibold tracking-tight">Page not found</h1>
      <p className="text-muted">The page may have been deleted or renamed, or the link is incomplete.</p>
      <ButtonLink to={paths.home} variant="primary">
        Go home
      </ButtonLink>
    </div>
  )
}
