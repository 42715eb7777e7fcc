import { type Command, UsageError } from '../command.ts';
import { completionScript, shells } from '../completion.ts';

export const completion: Command = {
  name: 'completion',
  summary: 'Print a script that completes commands and options in a shell.',
  operands: `<${shells.join('|')}>`,
  operandsMin: 1,
  operandsMax: 1,
  operandValues: shells,
  settings: [],
  notes: `bash: eval "$(sallyport completion bash)", in ~/.bashrc
zsh:  source <(sallyport completion zsh), in ~/.zshrc, after compinit
fish: sallyport completion fish > ~/.config/fish/completions/sallyport.fish`,
  async run(input, terminal) {
    const [wanted = ''] = input.positionals;
    const shell = shells.find((one) => one === wanted);
    if (shell === undefined) {
      throw new UsageError(`There is a script for ${shells.join(', ')}, and none for ${wanted}.`);
    }
    terminal.out(completionScript(shell, input.commands));
    return 0;
  },
};
