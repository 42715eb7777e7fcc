/** Where the service lies on a machine. The files in `systemd/` name the same places. */
export const places = Object.freeze({
  /** Releases, each whole with its Node, and `current`, the link to the one that is started. */
  releases: '/opt/sallyport',
  current: '/opt/sallyport/current',
  command: '/usr/local/bin/sallyport',
  settings: '/etc/sallyport',
  config: '/etc/sallyport/config.json',
  pepper: '/etc/sallyport/pepper',
  data: '/var/lib/sallyport',
  run: '/run/sallyport',
  service: '/etc/systemd/system/sallyport@.service',
  target: '/etc/systemd/system/sallyport.target',
  /** The links of the instances that start with the target. */
  enabled: '/etc/systemd/system/sallyport.target.wants',
  sysusers: '/etc/sysusers.d/sallyport.conf',
  sysctl: '/etc/sysctl.d/60-sallyport.conf',
});

/** The account that the service runs as. */
export const account = 'sallyport';
