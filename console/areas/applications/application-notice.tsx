import type { ReactNode } from 'react'
import { serverPath } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { ApplicationDetails } from './queries.ts'

interface ApplicationNoticeProps {
  application: ApplicationDetails
  /** What it said when it died soon after its latest deployment. */
  died: readonly string[] | undefined
  /** Put back what was changed by hand; without it one may not. */
  onPutBack: (() => void) | undefined
  puttingBack: boolean
  onRollBack: (() => void) | undefined
}

/** Why an application is not as it should be, and what helps. Nothing while all is well. */
export function ApplicationNotice(props: ApplicationNoticeProps) {
  const { application, died, onPutBack, puttingBack, onRollBack } = props
  const { name, state, reason, server, drift, maintenance, proxy_error: proxyError } = application
  // The other services go on.
  const partly = application.source.services !== null && state !== 'failed'
  if (state === 'unknown')
    return (
      <Notice
        tone="yellow"
        title={`How ${name} is now cannot be told`}
        action={<ButtonLink to={serverPath(server.id)}>Open {server.name}</ButtonLink>}
      >
        {reason ?? `${server.name} does not answer.`} It may well go on running.
      </Notice>
    )
  return (
    <>
      {died && state !== 'stopped' && (
        <Notice
          tone={partly ? 'yellow' : 'red'}
          title={
            partly
              ? `A service of ${name} died soon after its deployment`
              : `${name} died soon after its deployment`
          }
          action={onRollBack && <Button onClick={onRollBack}>Roll back…</Button>}
        >
          <Sentences>{died}</Sentences>
        </Notice>
      )}
      {!died && drift.length === 0 && (state === 'failed' || state === 'degraded') && (
        <Notice
          tone={state === 'failed' ? 'red' : 'yellow'}
          title={state === 'failed' ? `${name} does not run` : `${name} does not run as it should`}
        >
          {reason ?? 'Its containers and their logs say more.'}
        </Notice>
      )}
      {proxyError !== null && (
        <Notice
          tone="yellow"
          title="Its domains and ports do not follow"
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
              <Button pending={puttingBack && 'Putting back…'} onClick={onPutBack}>
                Put it back
              </Button>
            )
          }
        >
          <Sentences>{drift}</Sentences>
        </Notice>
      )}
      {maintenance && (
        <Notice tone="yellow" title="The maintenance page is on">
          Visitors see a page that says so instead of {name}. You can switch it off in its settings.
        </Notice>
      )}
    </>
  )
}

/** Where it does not run, what was done by hand most likely says why: one notice for both. */
function driftTitle(name: string, state: ApplicationDetails['state']): string {
  const by = 'was changed by hand on the server'
  if (state === 'failed') return `${name} does not run: it ${by}`
  return state === 'degraded' ? `${name} does not run as it should: it ${by}` : `${name} ${by}`
}

const Sentences = ({ children }: { children: readonly string[] }): ReactNode =>
  children.map((sentence, index) => (
    // oxlint-disable-next-line no-array-index-key -- they have nothing else, and no state
    <p key={index} className="whitespace-pre-wrap">
      {sentence}
    </p>
  ))
