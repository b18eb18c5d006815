import { Card } from '../../../ui/card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { countMappings, countVariables } from '../entries/entry-counts.ts'
import { LinesField, type PartProps } from './new-fields.tsx'
import { VariableChanges } from '../environment/variable-changes.tsx'
import { diffVariables } from '../environment/variable-difference.ts'
import { readVariables } from '../../../../contract/shared/dotenv.ts'
import { FieldWarnings, listVariableWarnings } from '../environment/variable-warnings.tsx'

export function NewEnvironmentFields(props: PartProps & { binds: boolean }) {
  const { binds, ...part } = props
  const { volumes, ports, lost } = part.draft
  return (
    <Card title="Environment and storage">
      <div className="flex max-w-2xl flex-col gap-4">
        {lost && (
          <Notice tone="yellow" title="Enter the environment variables again">
            The page was reloaded. Environment variables and build arguments are not stored in the browser
            because they may contain secrets.
          </Notice>
        )}
        <VariablesField {...part} help="KEY=value, one per line, or a pasted .env file. Encrypted at rest." />
        <LinesField
          {...part}
          name="volumes"
          label="Volumes"
          optional
          placeholder="data:/var/lib/data"
          help={<Live>{countMappings(volumes, 'volume') ?? volumesHelp(binds)}</Live>}
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
              {countMappings(ports, 'port') ??
                'server port:container port, one per line. Not needed for HTTP traffic.'}
            </Live>
          }
        />
      </div>
    </Card>
  )
}

const volumesHelp = (binds: boolean) =>
  binds
    ? 'name:/path or /host/folder:/path, one per line. Data persists across deployments.'
    : 'name:/path, one per line. Data persists across deployments.'

const Live = ({ children }: { children: string }) => <span aria-live="polite">{children}</span>

export const VariablesField = ({ help, ...part }: PartProps & { help: string }) => (
  <div className="flex flex-col gap-1.5">
    <LinesField
      {...part}
      name="env"
      label="Environment variables"
      optional
      rows={5}
      placeholder={'DATABASE_URL=postgres://db/shop\nLOG_LEVEL=info'}
      help={<span aria-live="polite">{countVariables(part.draft.env) ?? help}</span>}
    />
    <FieldWarnings remarks={listVariableWarnings(part.draft.env)} />
    <VariableChanges changes={diffVariables([], readVariables(part.draft.env))} />
  </div>
)
