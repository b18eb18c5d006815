import type { ReactNode } from 'react'
import { serverPath } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Application, ApplicationDetails } from './queries.ts'

interface ApplicationNoticeProps {
  application: ApplicationDetails
  /** The error lines of a release that crashed shortly after going live. */
  died: readonly string[] | undefined
  /** Undefined when the user lacks the permission. */
  onPutBack: (() => void) | undefined
  puttingBack: boolean
  onRollBack: (() => void) | undefined
}

export function ApplicationNotice(props: ApplicationNoticeProps) {
  const { application, died, onPutBack, puttingBack, onRollBack } = props
  const { name, state, reason, server, drift, maintenance, proxy_error: proxyError } = application
  const partly = application.source.services !== null && state !== 'failed'
  if (state === 'unknown')
    return (
      <Notice
        tone="yellow"
        title={`Status of ${name} unknown`}
        action={<ButtonLink to={serverPath(server.id)}>Open {server.name}</ButtonLink>}
      >
        {reason ?? `Cannot reach ${server.name}.`} The application may still be running.
      </Notice>
    )
  return (
    <>
      {died && state !== 'stopped' && (
        <Notice
          tone={partly ? 'yellow' : 'red'}
          title={partly ? `A service of ${name} crashed after deploying` : `${name} crashed after deploying`}
          action={onRollBack && <Button onClick={onRollBack}>Roll back…</Button>}
        >
          <Sentences>{died}</Sentences>
        </Notice>
      )}
      {!died && drift.length === 0 && (state === 'failed' || state === 'degraded') && (
        <Notice
          tone={state === 'failed' ? 'red' : 'yellow'}
          title={state === 'failed' ? `${name} is not running` : `${name} is degraded`}
        >
          {reason ?? 'Check its containers and logs.'}
        </Notice>
      )}
      {proxyError !== null && (
        <Notice
          tone="yellow"
          title="Domains and ports are not up to date"
          action={<ButtonLink to={serverPath(server.id)}>Open {server.name}</ButtonLink>}
        >
          {proxyError}
        </Notice>
      )}
      {drift.length > 0 && (
        <Notice
          tone={state === 'failed' ? 'red' : 'yellow'}
          title={driftTitle(name, died ? 'running' : state)}
          action={
            onPutBack && (
              <Button pending={puttingBack && 'Reverting…'} onClick={onPutBack}>
                Revert changes
              </Button>
            )
          }
        >
          <Sentences>{drift}</Sentences>
        </Notice>
      )}
      {maintenance && (
        <Notice tone="yellow" title="Maintenance page is on">
          Visitors see a maintenance page instead of {name}. Turn it off in the settings.
        </Notice>
      )}
    </>
  )
}

/** Manual changes most likely explain why it is not running, so one notice covers both. */
function driftTitle(name: string, state: ApplicationDetails['state']): string {
  const by = 'was changed manually on the server'
  if (state === 'failed') return `${name} is not running: it ${by}`
  return state === 'degraded' ? `${name} is degraded: it ${by}` : `${name} ${by}`
}

const Sentences = ({ children }: { children: readonly string[] }): ReactNode =>
  children.map((sentence, index) => (
    // oxlint-disable-next-line no-array-index-key -- they have nothing else, and no state
    <p key={index} className="whitespace-pre-wrap">
      {sentence}
    </p>
  ))

interface ChangedBarProps {
  release: Application['release']
  onShow: () => void
}

export const UndeployedChangesBar = ({ release, onShow }: ChangedBarProps) => (
  <Notice
    tone="neutral"
    title={release?.older ? `Rolled back to release ${release.number}` : 'Undeployed changes'}
    action={<Button onClick={onShow}>View changes</Button>}
  >
    {release?.older ? 'Deploy to apply your current configuration.' : 'Deploy to apply them.'}
  </Notice>
)
