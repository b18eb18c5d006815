import { Button } from '../../ui/button.tsx'
import { GitHubMark } from '../../ui/logo.tsx'
import { SetUpGitHubApp } from './github-app-settings.tsx'
import { type GitHubApp, useConnectIntegration } from './queries.ts'

export const ConnectCard = ({ app, manages }: { app: GitHubApp | undefined; manages: boolean }) => (
  <section className="flex flex-col gap-4 rounded-lg border border-line bg-raised p-4">
    <div className="flex items-start gap-3">
      <span className="flex size-8 shrink-0 items-center justify-center rounded-md border border-line bg-subtle">
        <GitHubMark />
      </span>
      <div className="flex min-w-0 flex-col gap-0.5">
        <h2 className="font-semibold">Push to Deploy</h2>
        <p className="text-sm text-muted">
          Connect GitHub to build applications from your repositories and deploy on every push.
        </p>
      </div>
    </div>
    {app && <WhatToDo app={app} manages={manages} />}
  </section>
)

function WhatToDo({ app, manages }: { app: GitHubApp; manages: boolean }) {
  if (!manages) return <p className="text-sm">Ask a workspace admin to connect an account.</p>
  if (!app.ready && app.can_set_up) return <SetUpGitHubApp {...app} />
  if (!app.ready)
    return (
      <p className="text-sm">
        {app.problem ?? 'This instance has no GitHub App yet.'} Ask an instance owner to set up the GitHub
        App.
      </p>
    )
  return <ConnectButtons />
}

export function ConnectButtons({ more = false }: { more?: boolean }) {
  const connect = useConnectIntegration()
  const asked = connect.isPending ? connect.variables : undefined
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        variant="primary"
        pending={asked === false && 'Redirecting to GitHub…'}
        onClick={() => connect.mutate(false)}
      >
        {more ? 'Connect another account' : 'Connect'}
      </Button>
      <Button
        variant="ghost"
        title="Connect an account that already has the GitHub App installed."
        pending={asked === true && 'Redirecting to GitHub…'}
        onClick={() => connect.mutate(true)}
      >
        Use existing installation
      </Button>
    </div>
  )
}
