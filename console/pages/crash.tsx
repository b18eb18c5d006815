import { Component, type ReactNode } from 'react'
import { logError } from '../lib/log.ts'
import { paths } from '../paths.ts'
import { PublicLayout } from '../ui/brand/public-layout.tsx'

interface State {
  error?: Error | undefined
}

/** Error boundary. React supports error boundaries only as classes. */
export class CrashBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = {}

  static getDerivedStateFromError(thrown: unknown): State {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }

  override componentDidCatch(error: Error) {
    logError('A page crashed', error)
  }

  /** Going back leaves the crashed page, so render the pages again. */
  override componentDidMount() {
    window.addEventListener('popstate', this.#leave)
  }

  override componentWillUnmount() {
    window.removeEventListener('popstate', this.#leave)
  }

  #leave = () => this.setState({ error: undefined })

  override render() {
    return this.state.error ? <CrashPage error={this.state.error} /> : this.props.children
  }
}

const look = 'inline-flex h-10 flex-1 items-center justify-center rounded-md px-4 font-medium'

// Components without state cannot crash as well, so use no others here.
function CrashPage({ error }: { error: Error }) {
  const outdated = /import|fetch|chunk/i.test(error.message)
  return (
    <PublicLayout
      title="Something went wrong"
      description={
        outdated
          ? 'Part of the console could not be loaded. Slipway may have been updated, or the connection was lost. Reload the page.'
          : 'An unexpected error occurred. Your servers are not affected. Reload the page. If the error persists, send the details below to the operator of this instance.'
      }
    >
      <pre className="rounded-md wrap-anywhere whitespace-pre-wrap border border-line bg-subtle p-3 font-mono text-sm">
        {error.message}
      </pre>
      <div className="flex gap-2">
        <button
          type="button"
          onClick={() => window.location.reload()}
          className={`${look} bg-accent text-on-accent hover:bg-accent-hover`}
        >
          Reload
        </button>
        <a href={paths.home} className={`${look} border border-edge hover:bg-hover`}>
          Go home
        </a>
      </div>
    </PublicLayout>
  )
}
