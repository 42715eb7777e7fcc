/** What a refusal says of its reason; all else is for the operator. */
export type RefusalReason = Exclude<keyof PageTexts, 'idLabel' | 'footer'>;

/** What the person in front of a browser reads. */
export interface PageTexts {
  readonly harmful: PageText;
  readonly partial: PageText;
  readonly unchecked: PageText;
  readonly large: PageText;
  readonly coded: PageText;
  readonly unreadable: PageText;
  readonly idLabel: string;
  readonly footer: string;
}

/** A heading, and one or two sentences. */
type PageText = readonly [heading: string, text: string];

/** The first is for everybody else. */
export const pageTexts = {
  en: {
    harmful: [
      'Request blocked',
      'This request looks harmful and was not accepted. If you did nothing unusual, please contact the operator of this site and quote the ID below.',
    ],
    partial: [
      'Request not accepted',
      'This request could not be inspected completely and was not accepted. If you need help, please contact the operator of this site and quote the ID below.',
    ],
    unchecked: [
      'Please try again',
      'Your request cannot be checked at the moment. Please try again in a few seconds.',
    ],
    large: ['Request too large', 'This request is larger than this site accepts.'],
    coded: [
      'Format not supported',
      'The content encoding or character set of this request is not supported.',
    ],
    unreadable: ['Request not readable', 'This request could not be read.'],
    idLabel: 'ID',
    footer: 'Protected by Sallyport',
  },
  de: {
    harmful: [
      'Anfrage blockiert',
      'Diese Anfrage sieht schädlich aus und wurde nicht angenommen. Wenn Sie nichts Ungewöhnliches getan haben, wenden Sie sich bitte mit der unten stehenden ID an den Betreiber dieser Website.',
    ],
    partial: [
      'Anfrage nicht angenommen',
      'Diese Anfrage konnte nicht vollständig geprüft werden und wurde nicht angenommen. Wenn Sie Hilfe brauchen, wenden Sie sich bitte mit der unten stehenden ID an den Betreiber dieser Website.',
    ],
    unchecked: [
      'Bitte versuchen Sie es noch einmal',
      'Ihre Anfrage kann im Moment nicht geprüft werden. Bitte versuchen Sie es in einigen Sekunden noch einmal.',
    ],
    large: ['Anfrage zu groß', 'Diese Anfrage ist größer, als diese Website erlaubt.'],
    coded: [
      'Format nicht unterstützt',
      'Die Kodierung oder der Zeichensatz dieser Anfrage wird nicht unterstützt.',
    ],
    unreadable: ['Anfrage nicht lesbar', 'Diese Anfrage konnte nicht gelesen werden.'],
    idLabel: 'ID',
    footer: 'Geschützt durch Sallyport',
  },
  fr: {
    harmful: [
      'Requête bloquée',
      'Cette requête semble malveillante et n’a pas été acceptée. Si vous n’avez rien fait d’inhabituel, contactez l’exploitant de ce site en indiquant l’identifiant ci-dessous.',
    ],
    partial: [
      'Requête non acceptée',
      'Cette requête n’a pas pu être entièrement vérifiée et n’a pas été acceptée. Si vous avez besoin d’aide, contactez l’exploitant de ce site en indiquant l’identifiant ci-dessous.',
    ],
    unchecked: [
      'Veuillez réessayer',
      'Votre requête ne peut pas être vérifiée pour le moment. Veuillez réessayer dans quelques secondes.',
    ],
    large: ['Requête trop volumineuse', 'Cette requête dépasse la taille acceptée par ce site.'],
    coded: [
      'Format non pris en charge',
      'L’encodage ou le jeu de caractères de cette requête n’est pas pris en charge.',
    ],
    unreadable: ['Requête illisible', 'Cette requête n’a pas pu être lue.'],
    idLabel: 'Identifiant',
    footer: 'Protégé par Sallyport',
  },
  es: {
    harmful: [
      'Solicitud bloqueada',
      'Esta solicitud parece dañina y no se ha aceptado. Si no ha hecho nada inusual, póngase en contacto con el responsable de este sitio e indique el identificador que aparece abajo.',
    ],
    partial: [
      'Solicitud no aceptada',
      'Esta solicitud no se ha podido inspeccionar por completo y no se ha aceptado. Si necesita ayuda, póngase en contacto con el responsable de este sitio e indique el identificador que aparece abajo.',
    ],
    unchecked: [
      'Inténtelo de nuevo',
      'Su solicitud no se puede comprobar en este momento. Inténtelo de nuevo dentro de unos segundos.',
    ],
    large: ['Solicitud demasiado grande', 'Esta solicitud supera el tamaño que acepta este sitio.'],
    coded: [
      'Formato no admitido',
      'La codificación o el juego de caracteres de esta solicitud no es compatible.',
    ],
    unreadable: ['Solicitud ilegible', 'Esta solicitud no se ha podido leer.'],
    idLabel: 'Identificador',
    footer: 'Protegido por Sallyport',
  },
} as const satisfies Readonly<Record<string, PageTexts>>;

export type PageLanguage = keyof typeof pageTexts;
