import type { EventEmitter } from 'node:events'
import type { Stripe } from 'stripe'
import type { Id } from '../contract/shared/ids.ts'
import type { DriftInspection } from './areas/applications/changes/drift.ts'
import { createComposeMountCache } from './areas/applications/entries/compose-volumes.ts'
import { createVolumeSizeCache } from './areas/applications/entries/volumes.ts'
import { createValueIndexes } from './areas/applications/redactor.ts'
import type { ValueIndex } from './areas/applications/sensitive-values.ts'
import { createAccessCache } from './areas/auth/authenticate.ts'
import { createGitHubAppCache } from './areas/auth/github-app.ts'
import { createPriceCache } from './areas/billing/plans.ts'
import { createStripeClient } from './areas/billing/stripe.ts'
import { createCloudCatalogs } from './areas/cloud-tokens/catalog.ts'
import { CommandFollower } from './areas/commands/command-follower.ts'
import { createGitHubCaches, type GitHubCaches } from './areas/integrations/github-caches.ts'
import { createLogHubs, type LogHubs } from './areas/logs/log-hubs.ts'
import { createSampleWriters, type SampleWriters } from './areas/metrics/sample-writer.ts'
import type { EmailAttempt } from './areas/notifications/channels/email.ts'
import { createOutputHub } from './areas/outputs/follow-output.ts'
import { createHourlyCache } from './areas/providers/api-client.ts'
import type { Pricing } from './areas/providers/hetzner/catalog.ts'
import type { VultrPlan } from './areas/providers/vultr/catalog.ts'
import { createRegistryCaches } from './areas/registries/search-cache.ts'
import { ContainerShells } from './areas/terminals/container-shells.ts'
import { Terminals } from './areas/terminals/terminals.ts'
import { createFailedCallCache, createHookCallCache } from './areas/webhooks/receive-webhook.ts'
import type { Context } from './context.ts'
import { createKeyedMutex, createSemaphore, lazy, type Semaphore } from './platform/async.ts'
import { createLocks, type Locks } from './platform/locks.ts'
import { createPasswords, type Passwords } from './platform/passwords.ts'
import { StaleCache } from './platform/cache.ts'
import { createSettingsCache } from './settings.ts'

/** The clients, caches, hubs and limits of the areas. Each is created once per process and shared by all callers. */
export interface ProcessState {
  locks: Locks
  passwords: Passwords
  settingsCache: ReturnType<typeof createSettingsCache>
  accessCache: ReturnType<typeof createAccessCache>
  expiredTokenUses: Map<string, number>
  serviceRateLimits: Map<string, number>
  githubAppCache: ReturnType<typeof createGitHubAppCache>
  githubCaches: GitHubCaches
  priceCache: ReturnType<typeof createPriceCache>
  stripe: () => Promise<Stripe>
  cloudCatalogs: ReturnType<typeof createCloudCatalogs>
  hetznerPricing: StaleCache<Pricing>
  vultrPlans: StaleCache<VultrPlan[]>
  registryCaches: ReturnType<typeof createRegistryCaches>
  failedHookCalls: ReturnType<typeof createFailedCallCache>
  acceptedHookCalls: ReturnType<typeof createHookCallCache>
  outputHub: EventEmitter
  logHubs: LogHubs
  logReadSlots: Map<Id<'server'>, Semaphore>
  savedLogSearches: Semaphore
  commandFollower: () => CommandFollower
  terminals: Terminals
  containerShells: () => ContainerShells
  composeMounts: ReturnType<typeof createComposeMountCache>
  volumeSizes: ReturnType<typeof createVolumeSizeCache>
  configurationChanges: StaleCache<boolean>
  valueIndexes: StaleCache<ValueIndex>
  driftInspections: Map<Id<'application'>, DriftInspection>
  /** Syncs that have not started. Further callers share them. */
  queuedProxySyncs: Map<Id<'server'>, Promise<void>>
  certificateChecks: Map<string, boolean>
  deploymentWrites: ReturnType<typeof createKeyedMutex>
  sampleWriters: () => SampleWriters
  emailAttempts: Map<string, EmailAttempt>
}

/** Creates the state. `getContext` is called when a part that needs the whole context is first used. */
export const createProcessState = (
  { config, pool, bus }: Pick<Context, 'config' | 'pool' | 'bus'>,
  getContext: () => Context,
): ProcessState => ({
  locks: createLocks(pool),
  passwords: createPasswords(),
  settingsCache: createSettingsCache(bus),
  accessCache: createAccessCache(bus),
  expiredTokenUses: new Map(),
  serviceRateLimits: new Map(),
  githubAppCache: createGitHubAppCache(bus),
  githubCaches: createGitHubCaches(),
  priceCache: createPriceCache(),
  stripe: lazy(() => createStripeClient(config)),
  cloudCatalogs: createCloudCatalogs(),
  hetznerPricing: createHourlyCache(),
  vultrPlans: createHourlyCache(),
  registryCaches: createRegistryCaches(),
  failedHookCalls: createFailedCallCache(),
  acceptedHookCalls: createHookCallCache(),
  outputHub: createOutputHub(bus),
  logHubs: createLogHubs(bus),
  logReadSlots: new Map(),
  savedLogSearches: createSemaphore(2),
  commandFollower: lazy(() => new CommandFollower(getContext())),
  terminals: new Terminals(),
  containerShells: lazy(() => new ContainerShells(getContext())),
  composeMounts: createComposeMountCache(),
  volumeSizes: createVolumeSizeCache(),
  configurationChanges: new StaleCache(Infinity, 10_000),
  valueIndexes: createValueIndexes(),
  driftInspections: new Map(),
  queuedProxySyncs: new Map(),
  certificateChecks: new Map(),
  deploymentWrites: createKeyedMutex(),
  sampleWriters: lazy(() => createSampleWriters(getContext())),
  emailAttempts: new Map(),
})
