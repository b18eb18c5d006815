import type { ReactNode } from 'react'
import type { TypedField } from '../../lib/form/typed-field.ts'
import type { Option } from '../../ui/form/select-list.tsx'

/** What an alert can be narrowed to and told through: things of other areas, undefined while they are on their way. */
export interface AlertChoices {
  servers: readonly Option[] | undefined
  projects: readonly Option[] | undefined
  applications: readonly Option[] | undefined
  channels: readonly Channel[] | undefined
  /** Chooses one of the containers of a server by its name. */
  renderContainer: (serverId: string, field: TypedField) => ReactNode
}

export interface Channel {
  id: string
  name: string
  /** What it is, or why nothing gets through. */
  help: string
}
