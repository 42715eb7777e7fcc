declare module 'jsfuck' {
  const jsfuck: {
    readonly JSFuck: { encode(script: string, isEvaluated: boolean): string };
  };
  export = jsfuck;
}
