import type { ReactNode } from 'react'
import { type AlertKind, alertKinds } from '../../../contract/shared/alert-kinds.ts'
import { Moment, Time } from '../../ui/time.tsx'
import { tookWords } from '../../ui/format/took-words.ts'
import { isMuted } from './alert-words.ts'
import type { IncidentDetails } from './queries.ts'
import { SubjectLink } from './subject-link.tsx'

interface Fact {
  term: string
  value: ReactNode
}

/** What it is about, since when, and how it is. */
export function factsOf(incident: IncidentDetails): Fact[] {
  const { subject, began_at: began, resolved_at: over, resolved_why: why, muted_until: muted } = incident
  const values = valueWords(incident)
  return [
    { term: nouns[subject.kind], value: <SubjectLink subject={subject} /> },
    ...(values === undefined ? [] : [{ term: 'Value', value: values }]),
    {
      term: 'Began',
      value: (
        <>
          <Moment at={began} /> (<Time at={began} />)
        </>
      ),
    },
    ...(over === null
      ? []
      : [
          {
            term: 'Over',
            value: (
              <>
                <Moment at={over} />, after {tookWords(began, over)}
              </>
            ),
          },
        ]),
    ...(why === null ? [] : [{ term: 'Over because', value: why }]),
    ...(muted !== null && isMuted(muted) ? [{ term: 'Muted until', value: <Moment at={muted} /> }] : []),
  ]
}

const nouns = {
  server: 'Server',
  container: 'Container',
  application: 'Application',
  certificate: 'Certificate of',
}

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

/** "91 %, with a threshold of 85 %"; undefined where there is only good and bad. */
function valueWords({ kind, value, threshold }: IncidentDetails): string | undefined {
  const { unit }: AlertKind = alertKinds[kind]
  if (value === null || unit === undefined) return undefined
  const said = (number: number) => `${numbers.format(number)}${words[unit]}`
  return threshold === null ? said(value) : `${said(value)}, with a threshold of ${said(threshold)}`
}

const words = { percent: ' %', load: ' for each core', times: ' times', days: ' days' }
