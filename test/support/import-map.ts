/**
 * Who may import whom, by top folder of `src/`. A new arrow is a decision: it gets a commit of its own and a line in
 * `docs/architecture.md`.
 */
export const importMap: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  errors: [],
  config: ['errors', 'domain'],
  ports: ['domain', 'errors'],
  audit: ['ports', 'domain', 'errors'],
  graph: ['audit', 'domain', 'errors'],
  rules: ['audit', 'domain', 'errors'],
  agents: ['rules', 'audit', 'domain', 'errors'],
  // Rules that change while the service runs.
  reload: ['rules', 'audit', 'ports', 'domain', 'errors'],
  decision: ['reload', 'agents', 'rules', 'graph', 'audit', 'ports', 'domain', 'errors'],
  access: ['audit', 'ports', 'domain', 'errors'],
  adapters: ['audit', 'ports', 'domain', 'errors'],
  // Pages, drawn from data alone.
  ui: ['domain'],
  http: ['access', 'ui', 'reload', 'decision', 'audit', 'domain', 'errors'],
  commands: [
    'config',
    'http',
    'access',
    'reload',
    'decision',
    'rules',
    'graph',
    'audit',
    'ports',
    'domain',
    'errors',
  ],
  // The only place that joins everything.
  main: [
    'commands',
    'config',
    'http',
    'access',
    'reload',
    'decision',
    'rules',
    'graph',
    'audit',
    'adapters',
    'ports',
    'domain',
    'errors',
  ],
}

/** Modules that reach disk, network, clock or chance; only these folders may import them. */
export const outsideModules =
  /^node:(fs|http|https|net|dns|child_process|sqlite|worker_threads|os|process|timers)(\/|$)/
export const outsideFolders: readonly string[] = ['adapters', 'commands', 'config', 'main', 'http']
