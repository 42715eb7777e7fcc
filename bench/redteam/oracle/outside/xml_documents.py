"""XML as services read it whose parser resolves entities and inclusions."""

import base64
import resource
import xml.sax
import xml.sax.handler
import xml.sax.xmlreader
from io import BytesIO, StringIO

from lxml import etree

from answer_lines import answer_lines

# Bombs grow in our own memory only up to here.
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

# What an entity may grow to before we call it a bomb.
LARGE = 1_000_000
FILES = ["/etc/passwd", "/etc/hosts", "/etc/os-release", "/etc/group"]


def first_line(path):
    with open(path, encoding="utf-8") as file:
        return file.readline().strip()


CANARIES = [first_line(path) for path in FILES]


class Stub(etree.Resolver):
    """Gives an own text for all that a document asks for, so that nothing leaves the machine."""

    reached = False

    def resolve(self, url, public_id, context):
        self.reached = True
        return self.resolve_string("stub", context)


def read(data, includes=False, huge=False):
    """Whether a document of bytes makes the parser fetch something, or grow."""
    stub = Stub()
    parser = etree.XMLParser(
        resolve_entities=True, load_dtd=True, no_network=True, huge_tree=huge
    )
    parser.resolvers.add(stub)
    failure = None
    text = ""
    try:
        tree = etree.parse(BytesIO(data), parser)
        if includes:
            tree.xinclude()
        text = "".join(tree.getroot().itertext())
    except (etree.LxmlError, MemoryError) as error:
        failure = error
    # An entity was fetched even where the rest is no sound document.
    if stub.reached or len(text) > LARGE or isinstance(failure, MemoryError):
        return True
    if failure is not None:
        raise failure
    return any(canary in text for canary in CANARIES)


class Sax(xml.sax.handler.ContentHandler):
    def __init__(self):
        super().__init__()
        self.size = 0
        self.reached = False

    def characters(self, content):
        self.size += len(content)
        if self.size > LARGE:
            raise OverflowError

    def resolveEntity(self, publicId, systemId):
        self.reached = True
        source = xml.sax.xmlreader.InputSource()
        source.setCharacterStream(StringIO("stub"))
        return source


def read_sax(data):
    handler = Sax()
    reader = xml.sax.make_parser()
    reader.setFeature(xml.sax.handler.feature_external_ges, True)
    reader.setContentHandler(handler)
    reader.setEntityResolver(handler)
    try:
        reader.parse(BytesIO(data))
    except OverflowError:
        return True
    except xml.sax.SAXException:
        if not handler.reached:
            raise
    return handler.reached


SOAP = '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>%s</s:Body></s:Envelope>'


def with_root(text, name):
    """A document of one kind only: the others are refused before anyone reads their text."""
    data = text.encode()
    stub = Stub()
    parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True)
    parser.resolvers.add(stub)
    root = etree.parse(BytesIO(data), parser).getroot()
    if etree.QName(root).localname != name:
        raise ValueError("another kind of document")
    return read(data)


answer_lines(
    {
        "document": lambda text: read(text.encode()),
        "document, expat": lambda text: read_sax(text.encode()),
        "document, huge": lambda text: read(text.encode(), huge=True),
        "document, inclusions": lambda text: read(text.encode(), includes=True),
        "SOAP envelope": lambda text: with_root(text, "Envelope"),
        "SVG": lambda text: with_root(text, "svg"),
        "document, base64": lambda text: read(base64.b64decode(text, validate=True)),
        "member of SOAP": lambda text: read((SOAP % text).encode(), includes=True),
        "text of an element": lambda text: read(
            f"<order><id>7</id><note>{text}</note></order>".encode(), includes=True
        ),
        "attribute": lambda text: read(
            f'<order><item name="{text}" count="1"/></order>'.encode(), includes=True
        ),
        "attribute, single quotes": lambda text: read(
            f"<order><item name='{text}'>tea</item></order>".encode(), includes=True
        ),
        "comment": lambda text: read(
            f"<order><!-- from: {text} --><item/></order>".encode(), includes=True
        ),
        "CDATA": lambda text: read(
            f"<order><note><![CDATA[{text}]]></note></order>".encode(), includes=True
        ),
        "entity value": lambda text: read(
            f'<!DOCTYPE order [<!ELEMENT order ANY><!ENTITY shop "{text}">]>'
            "<order>&shop;</order>".encode()
        ),
    }
)
