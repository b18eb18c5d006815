import type { Page } from 'playwright-core'
import type { Screen } from './screens.ts'
import { sees } from './see.ts'
import type { Deployed } from './world-applications.ts'

const table = (name: string) => (page: Page) =>
  sees(page.getByRole('table', { name }).getByRole('cell').first())
const says = (words: string) => (page: Page) =>
  sees(page.getByRole('dialog').getByRole('log').getByText(words).first())

interface Paths {
  /** Of one that died. */
  dead: string
  /** Of one whose server cannot be reached. */
  away: string
}

/** What one sees of applications that were deployed some times. */
export const applicationScreens = (
  { path, deployments, releases }: Deployed,
  { dead, away }: Paths,
): Screen[] => [
  { name: 'application', path, shows: table('Containers') },
  {
    name: 'application that died',
    path: dead,
    shows: (page) => sees(page.getByRole('region', { name: 'till died soon after its deployment' })),
  },
  { name: 'deployments', path: `${path}/deployments`, shows: table('Releases') },
  {
    name: 'deployment that failed',
    path: `${path}/deployments?deploymentId=${deployments.failed}`,
    shows: says('ECONNREFUSED'),
  },
  {
    name: 'deployment under way, from home',
    path: `/dashboard?deploymentId=${deployments.running}`,
    shows: says('399 GET'),
  },
  {
    name: 'roll back',
    path: `${path}?dialog=roll-back`,
    shows: (page) => sees(page.getByRole('dialog').getByRole('radio').first()),
  },
  {
    name: 'difference to a release',
    path: `${path}/deployments?dialog=changes-${releases[1]}`,
    shows: (page) => sees(page.getByRole('list', { name: 'Changes' })),
  },
  {
    name: 'delete an application out of reach',
    path: `${away}?dialog=delete`,
    shows: (page) => sees(page.getByRole('alertdialog').getByLabel('Forget it and leave what is there')),
  },
  {
    name: 'no such application',
    path: '/dashboard/applications/app_none',
    shows: (page) => sees(page.getByText('There is no such application here')),
  },
]
