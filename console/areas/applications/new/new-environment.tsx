import { Card } from '../../../ui/card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { mappingsInWords } from '../entries/entry-words.ts'
import { LinesField, type PartProps } from './new-fields.tsx'
import { VariablesField } from './new-variables.tsx'

/** What it is told, what it keeps, and what of it is open to the world besides its addresses. */
export function Environment(props: PartProps & { binds: boolean }) {
  const { binds, ...part } = props
  const { volumes, ports, lost } = part.draft
  return (
    <Card title="Environment and storage">
      <div className="flex max-w-2xl flex-col gap-4">
        {lost && (
          <Notice tone="yellow" title="Enter the environment again">
            The page was loaded anew. What may be secret is not kept in the browser: environment variables and
            arguments.
          </Notice>
        )}
        <VariablesField {...part} help="One a line, as KEY=value. They are kept encrypted." />
        <LinesField
          {...part}
          name="volumes"
          label="Volumes"
          optional
          placeholder="data:/var/lib/data"
          help={<Live>{mappingsInWords(volumes, 'volume') ?? volumesHelp(binds)}</Live>}
        />
        <LinesField
          {...part}
          name="ports"
          label="Published ports"
          optional
          rows={2}
          placeholder="5432:5432"
          help={
            <Live>
              {mappingsInWords(ports, 'port') ??
                'One a line, as port on the server:port in the container. Websites need none: they have addresses.'}
            </Live>
          }
        />
      </div>
    </Card>
  )
}

const volumesHelp = (binds: boolean) =>
  binds
    ? 'One a line, as name:path in the container, or /folder/of/the/server:path. What is in them outlives every deployment.'
    : 'One a line, as name:path in the container. What is in them outlives every deployment.'

const Live = ({ children }: { children: string }) => <span aria-live="polite">{children}</span>
