import { DefinitionList } from '../../ui/definition-list.tsx'
import { OutputLog } from '../../ui/output-log.tsx'
import type { IncidentDetails } from './queries.ts'

/** What it came from, as far as that was to be found: what used the memory, the last lines of a log. */
export function IncidentCause({ cause: { facts, lines } }: Pick<IncidentDetails, 'cause'>) {
  if (facts.length === 0 && lines.length === 0) return null
  return (
    <section aria-labelledby="incident-cause" className="flex min-w-0 flex-col gap-3">
      <h3 id="incident-cause" className="font-semibold">
        Cause
      </h3>
      {facts.length > 0 && (
        <DefinitionList items={facts.map(({ label, value }) => ({ term: label, value }))} dense />
      )}
      {lines.length > 0 && (
        <OutputLog label="Last lines of the log" lines={lines.map((text) => ({ stream: 'stdout', text }))} />
      )}
    </section>
  )
}
