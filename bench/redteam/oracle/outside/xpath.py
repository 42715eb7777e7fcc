"""XPath expressions that are put together, as libxml2 reads them."""

import uuid

from lxml import etree

from answer_lines import answer_lines

USERS = ["admin", "alice", "bob"]
PRODUCTS = ["Teapot", "Green tea", "Cup and saucer"]


def secret():
    return "canary-" + uuid.uuid4().hex


def shop():
    users = "".join(
        f"<user id='{number}'><name>{name}</name><password>{secret()}</password>"
        f"<role>{'admin' if name == 'admin' else 'customer'}</role></user>"
        for number, name in enumerate(USERS)
    )
    products = "".join(
        f"<product sku='t{number}' public='1' price='{10 + number}'><title>{title}</title></product>"
        for number, title in enumerate(PRODUCTS)
    )
    hidden = f"<product sku='{secret()}' public='0' price='99'><title>{secret()}</title></product>"
    return f"<shop><products>{products}{hidden}</products><users>{users}</users></shop>"


DOCUMENT = etree.fromstring(shop())


def found(expression):
    """What the expression selects, as a list of texts."""
    result = DOCUMENT.xpath(expression)
    values = result if isinstance(result, list) else [result]
    return ["".join(one.itertext()) if etree.iselement(one) else str(one) for one in values]


def selects(expression):
    """Whether it selects anything: a log-in."""
    return len(DOCUMENT.xpath(expression)) > 0


def leaks(expression):
    return any("canary-" in text for text in found(expression))


LETTERS = "'ABCDEFGHIJKLMNOPQRSTUVWXYZ','abcdefghijklmnopqrstuvwxyz'"

answer_lines(
    {
        "log-in, single quotes": lambda name, word: selects(
            f"//user[name='{name}' and password='{word}']"
        ),
        "log-in, double quotes": lambda name, word: selects(
            f'//users/user[name/text()="{name}" and password/text()="{word}"]/role'
        ),
        "text, single quotes": lambda text: leaks(f"//product[title='{text}']/title/text()"),
        "text, double quotes": lambda text: leaks(f'/shop/products/product[title="{text}"]'),
        "attribute": lambda text: leaks(f"//product[@sku='{text}']/title"),
        "attribute, last": lambda text: leaks(f"//product[@public='1' and @sku=\"{text}\"]"),
        "number": lambda text: leaks(f"//product[@public='1' and @price < {text}]"),
        "position": lambda text: leaks(f"//product[@public='1'][{text}]"),
        "contains": lambda text: leaks(f"//product[@public='1' and contains(title,'{text}')]"),
        "starts-with": lambda text: leaks(
            f'//product[starts-with(title, "{text}") and @public="1"]/title/text()'
        ),
        "nested function": lambda text: leaks(
            f"//product[@public='1' and contains(translate(title,{LETTERS}),translate('{text}',{LETTERS}))]"
        ),
        "string function": lambda text: leaks(f"string(//product[@sku='{text}']/title)"),
        "step": lambda text: leaks(f"/shop/products/product[@public='1']/{text}"),
        "name of an element": lambda text: leaks(f"//product[@public='1' and {text}='Teapot']"),
    }
)
